"""Tags of a game that several senders sent: filled, kept and corrected."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Record, Submission, Upload, Visibility
from records.operations import rebuild
from records.privacy.access import new_secret
from tests.api.contract import problem
from tests.people.test_secret_corrections import KAFU, put, replaced
from tests.people.world import do_jobs, sent, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def tagged(**tags: str) -> str:
    """Return the text of a game with tags."""
    game = makers.simulate_months(1)
    game.tags |= tags
    return write(game)


def send(text: str, secret: str = "") -> Upload:
    """Send a text without an account and return the processed upload."""
    headers = {"Upload-Secret": secret} if secret else {}
    response = Client().post(reverse("api:uploads"), text, KAFU, headers=headers)
    assert response.status_code == 202, response.content
    do_jobs()
    return Upload.objects.get(key=response.json()["key"])


def warnings(upload: Upload) -> list[tuple[str, Any]]:
    """Return the codes and values of the warnings about an upload's only game."""
    submission = upload.submissions.get()
    return [(warning["code"], warning["values"]) for warning in submission.warnings]


def shown_tags() -> tuple[str, str, str]:
    """Return event, site and round of the only game."""
    record = Record.objects.get()
    assert (record.event, record.site) == tuple(
        record.tags.get(name, "") for name in ("Event", "Site")
    )
    return record.event, record.site, record.round


def test_later_sender_fills_empty_tags() -> None:
    send(tagged(Event="asdf"))
    second = send(tagged(Event="Spring Cup", Site="Otaru"))
    assert shown_tags() == ("asdf", "Otaru", "")
    assert warnings(second) == [("tags-kept", {"tags": "Event"})]
    assert warnings(send(tagged(Site="Otaru"))) == [], "equal tags and missing ones give none"
    third = send(tagged(Site="Kyoto", Round="2", Annotator="Chie"))
    assert shown_tags() == ("asdf", "Otaru", "2")
    page = Client().get(f"/uploads/{third.key}/").content.decode()
    assert "not taken over: Annotator, Site" in page
    assert warnings(third) == [("tags-kept", {"tags": "Annotator, Site"})]
    listed = Client().get("/api/v1/records?event=asdf").json()["results"]
    assert [game["key"] for game in listed] == [Record.objects.get().key]


def test_texts_of_a_game_in_one_file_fill_each_others_tags() -> None:
    upload = send(tagged(Event="asdf") + "\n" + tagged(Event="Cup", Site="Otaru"))
    assert shown_tags() == ("asdf", "Otaru", "")
    first, second = upload.submissions.order_by("number")
    assert first.warnings == []
    assert [warning["values"]["tags"] for warning in second.warnings] == ["Event"]


def test_private_text_fills_no_tag_of_a_public_game() -> None:
    sent(tagged(Event="asdf"))
    sent(tagged(Site="home"), owner=user("aya"), visibility=Visibility.PRIVATE)
    assert shown_tags() == ("asdf", "", "")


def test_owners_of_a_private_game_do_not_learn_of_each_others_tags() -> None:
    aya, ben = user("aya"), user("ben")
    sent(tagged(Event="asdf"), owner=aya, visibility=Visibility.PRIVATE)
    second = sent(tagged(Event="Cup", Site="home"), owner=ben, visibility=Visibility.PRIVATE)
    assert warnings(second) == []
    assert Record.objects.get().site == ""
    headers = token(ben, "read", "upload")
    answer = put(Record.objects.get().key, tagged(Event="Spring"), **headers)
    assert answer.status_code == 202


@pytest.mark.parametrize("has_account", part([False, True]))
def test_correction_of_the_first_sender_counts(has_account: bool) -> None:
    secret = new_secret()
    headers = token(user("aya"), "read", "upload") if has_account else {}
    if has_account:
        Client().post(reverse("api:uploads"), tagged(Event="asdf"), KAFU, headers=headers)
        do_jobs()
    else:
        send(tagged(Event="asdf"), secret)
    send(tagged(Event="Other", Site="Otaru"), new_secret())
    key = Record.objects.get().key
    text = tagged(Event="Spring Cup")
    answer = put(key, text, "" if has_account else secret, **headers)
    assert answer.status_code == 202
    do_jobs()
    assert shown_tags() == ("Spring Cup", "Otaru", "")
    rebuild.begin()
    do_jobs()
    assert shown_tags() == ("Spring Cup", "Otaru", "")


@pytest.mark.long_only  # the test above corrects tags
def test_second_sender_without_account_corrects_the_tags_it_filled() -> None:
    secret = new_secret()
    send(tagged(Event="asdf"), new_secret())
    send(tagged(Site="Otaro"), secret)
    assert shown_tags() == ("asdf", "Otaro", "")
    replaced(Record.objects.get().key, tagged(Site="Otaru"), secret)
    assert shown_tags() == ("asdf", "Otaru", "")


def test_correction_of_the_first_senders_tags_by_another_is_refused() -> None:
    secret = new_secret()
    send(tagged(Event="asdf"), new_secret())
    send(tagged(Event="Cup"), secret)
    body = problem(put(Record.objects.get().key, tagged(Event="Cup"), secret), "conflict", 409)
    assert "Event" in body["detail"]
    assert Submission.objects.count() == 2


def test_corrected_game_of_others_loses_the_tags_of_the_corrector() -> None:
    secret = new_secret()
    send(tagged(Event="asdf"), secret)
    send(tagged(Event="Cup"), new_secret())
    former = Record.objects.get()
    replaced(former.key, makers.text(2), secret)
    former.refresh_from_db()
    assert former.event == "Cup"


def test_entirely_different_game_replaces_only_if_the_request_says_so() -> None:
    secret = new_secret()
    send(tagged(), secret)
    key = Record.objects.get().key
    game = simulate("hanaawase", seed=1)
    game.players = ("Chie", "Dan", "Emi")
    text = write(game)
    assert "another game" in problem(put(key, text, secret), "conflict", 409)["detail"]
    headers = {"Upload-Secret": secret}
    answers = [
        Client().post(
            reverse("api:uploads", query={"replaces": key, "another_game": value}),
            text,
            KAFU,
            headers=headers,
        )
        for value in ("perhaps", "true")
    ]
    problem(answers[0], "invalid-parameter", 400)
    assert answers[1].status_code == 202


@pytest.mark.parametrize("players", part([("Chie", "Dan", "Emi"), ("Aya", "Ben", "Chie")]))
def test_game_with_something_in_common_replaces_another(players: tuple[str, ...]) -> None:
    secret = new_secret()
    game = makers.simulate_months(1)
    send(write(game), secret)
    other = simulate("hanaawase" if "Aya" in players else "koikoi", seed=2)
    other.players = (game.players[0], *players[1:]) if "Aya" in players else players[:2]
    assert put(Record.objects.get().key, write(other), secret).status_code == 202
