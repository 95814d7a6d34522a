"""The pages of studies: steps are added, ordered and described; studies are shared and deleted."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Record, Study, Visibility
from records.services import studies
from tests.people.world import session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_step_is_added_to_the_bookmarks_to_a_new_study_and_to_an_old_one(
    aya: Any, game: Record
) -> None:
    browser = session(aya)
    page = browser.get(f"/games/{game.key}/?at=1.3").content.decode()
    assert f"/studies/add/?record={game.key}&amp;at=1.3" in page
    add = reverse("study-add")
    fields = {"record": game.key, "at": "1.3", "then": "AxC/B", "study": "bookmarks"}
    page = browser.post(add, fields, follow=True).content.decode()
    assert "Bookmarks" in page and f"/games/{game.key}/?at=1.3&amp;then=AxC/B" in page
    assert browser.post(add, fields | {"study": "new"}).status_code == 200, "it has no title"
    browser.post(add, fields | {"study": "new", "title": "Moons", "note": "Why <b>?"})
    study = Study.objects.get(title="Moons")
    browser.post(add, fields | {"study": study.key, "at": "1.5", "then": ""})
    assert [entry.at for entry in study.entries.all()] == ["1.3", "1.5"]
    page = browser.get(reverse("study", args=[study.key])).content.decode()
    assert "Why &lt;b&gt;?" in page and f"/games/{game.key}/1.5.png" in page
    assert page.count("Edit the note") == page.count("Add a note") == 1
    listed = browser.get(reverse("my-studies")).content.decode()
    assert "Moons" in listed and "2 steps" in listed
    assert browser.get(add, fields | {"at": "x"}).status_code == 404
    assert browser.get(add, fields | {"then": "<b>"}).status_code == 404


def test_entries_are_ordered_described_and_removed(aya: Any, game: Record) -> None:
    study = studies.create(aya.pk, {"title": "T"}, ())
    first, second = (studies.add_entry(study, game.pk, at) for at in ("1.0", "1.1"))
    browser, page = session(aya), reverse("study-entry", args=[study.key])

    def act(**fields: Any) -> list[str]:
        assert browser.post(page, fields).status_code == 302
        return [f"{entry.at} {entry.note}".strip() for entry in study.entries.all()]

    assert act(entry=second.pk, do="up") == ["1.1", "1.0"]
    assert act(entry=second.pk, do="up") == ["1.1", "1.0"], "it is the first already"
    assert act(entry=second.pk, do="down") == ["1.0", "1.1"]
    assert act(entry=first.pk, do="note", note="n") == ["1.0 n", "1.1"]
    assert act(entry=first.pk, do="remove") == ["1.1"]
    assert browser.post(page, {"entry": first.pk, "do": "remove"}).status_code == 404
    assert browser.post(page, {"entry": "x" * 30}).status_code == 404


def test_study_is_shared_by_its_visibility_and_deleted(aya: Any) -> None:
    study = studies.create(aya.pk, {"title": "T"}, ())
    browser, page = session(aya), reverse("study", args=[study.key])
    fields = {"title": "Moons", "notes": "All of them", "visibility": "3"}
    browser.post(reverse("study-change", args=[study.key]), fields)
    response = Client().get(page)
    assert "Moons" in response.content.decode() and "X-Robots-Tag" not in response
    browser.post(reverse("study-change", args=[study.key]), {"visibility": "2"})
    assert Client().get(page)["X-Robots-Tag"] == "noindex"
    browser.post(reverse("study-change", args=[study.key]), {"visibility": "0"})
    study.refresh_from_db()
    assert study.visibility == Visibility.UNLISTED, "nobody withdraws one"
    delete = reverse("study-delete", args=[study.key])
    assert "cannot be undone" in browser.post(delete).content.decode()
    browser.post(delete, {"confirmed": "1"})
    assert Client().get(page).status_code == 404
