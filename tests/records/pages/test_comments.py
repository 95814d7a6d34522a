"""Comments without a script: below the replay, on a page of their own, next to an embed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Comment, CommentReport, Record
from records.services import comments
from tests.markup import join_lines
from tests.people.world import sent, session, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def body(browser: Client, address: str) -> str:
    """Return a page as text."""
    return browser.get(address).content.decode()


def steps(page: str) -> list[str]:
    """Return the steps of the comments on a page, in their order."""
    return re.findall(r'class="by" id="comment-\w+"><a href="[^"]*">([0-9.]+)<', join_lines(page))


def test_comment_is_written_without_a_script_and_shown_to_everybody_immediately(
    aya: Any, game: Record
) -> None:
    """Comments are in the order of their steps."""
    address, replay = reverse("comments", args=[game.key]), f"/games/{game.key}/"
    nobody, browser = Client(), session(aya)
    assert steps(body(nobody, replay)) == steps(body(nobody, address)) == []
    assert address not in body(nobody, f"/embed/{game.key}/")
    form = join_lines(body(browser, f"{replay}?at=2.1")).partition("<noscript>")[2]
    assert f'action="{address}"' in form and 'name="at" value="2.1"' in form
    for at, words in (("2.1", " Later "), ("1.2", "<b>Not</b>\r\nthe moon?")):
        response = browser.post(address, {"do": "say", "at": at, "text": words})
        assert response["Location"] == f"{replay}?at={at}#comments"
    assert [comment.text for comment in Comment.objects.all()] == ["Later", "<b>Not</b>\nthe moon?"]
    for page in (body(nobody, replay), body(nobody, address)):
        assert steps(page) == ["1.2", "2.1"]
        assert "&lt;b&gt;Not&lt;/b&gt;" in page and "<b>Not" not in page
    assert f'href="{address}"' in body(nobody, f"/embed/{game.key}/")
    assert "2 comments" in body(nobody, f"/embed/{game.key}/")


def test_refused_comment_is_returned_in_the_form(aya: Any, game: Record) -> None:
    browser, address = session(aya), reverse("comments", args=[game.key])
    for at, words in (("1.9999", "Oh?"), ("x", "Oh?"), ("1.2", " "), ("1.2", "x" * 1001)):
        response = browser.post(address, {"do": "say", "at": at, "text": words})
        page = response.content.decode()
        assert response.status_code == 400 and 'role="alert"' in page
        assert f'value="{at}"' in page and f"{words.strip()}</textarea>" in page
    assert not Comment.objects.exists()


def test_comment_is_deleted_by_its_author_and_reported_by_others(aya: Any, game: Record) -> None:
    """The page of another game does neither."""
    comment = comments.add(game, aya.pk, (1, 2), "Oh!")
    address, ben = reverse("comments", args=[game.key]), session(user("ben"))
    assert 'value="report"' in body(ben, address) and 'value="remove"' not in body(ben, address)
    act = {"comment": comment.key}
    assert Client().post(address, act | {"do": "remove"}).status_code == 302
    assert ben.post(address, act | {"do": "remove"}).status_code == 404
    assert ben.post(address, {"comment": "no", "do": "report"}).status_code == 404
    assert "reported" in ben.post(address, act | {"do": "report"}, follow=True).content.decode()
    assert CommentReport.objects.get().comment == comment
    sent(text(2), owner=aya)
    other_address = reverse("comments", args=[Record.objects.latest("pk").key])
    assert session(aya).post(other_address, act | {"do": "remove"}).status_code == 404
    nobody = Client()
    assert steps(body(nobody, address)) == ["1.2"]
    session(aya).post(address, act | {"do": "remove"})
    assert steps(body(nobody, address)) == [] and not Comment.objects.exists()


def test_comment_hidden_by_the_staff_disappears_from_cached_pages(aya: Any, game: Record) -> None:
    comments.add(game, aya.pk, (1, 2), "Oh!")
    nobody, every_comment = Client(), Comment.objects.all()
    addresses = (f"/games/{game.key}/", reverse("comments", args=[game.key]))
    for change, expected in ((None, ["1.2"]), (comments.hide, []), (comments.restore, ["1.2"])):
        if change is not None:
            change(every_comment)
        for address in addresses:
            assert steps(body(nobody, address)) == expected
