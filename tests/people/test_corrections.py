"""A game that replaces another: address, history, permissions, consequences."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lengths import part
from people.models import Collection
from records.ingest.ownership import change_visibility, take_down
from records.models import Gone, Ownership, Record, Upload, Visibility
from tests.api.contract import problem
from tests.markup import join_lines
from tests.people.world import do_jobs, sent, session, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
KAFU = "text/x-kafu"


class Corrected:
    """A broken game, and its correction by the same sender."""

    def __init__(self) -> None:
        self.owner = user("owner")
        self.broken = game_of(sent(makers.illegal(3), owner=self.owner))

    def mend(self, text: str = "", **query: str) -> Record:
        response = self.put(text or makers.text(3), **query)
        assert response.status_code == 202, response.content
        upload = Upload.objects.get(key=response.json()["key"])
        do_jobs()
        return game_of(upload)

    def put(self, text: str, *, by: Any = None, key: str = "", **query: str) -> Any:
        address = reverse("api:uploads", query={"replaces": key or self.broken.key, **query})
        headers = token(by or self.owner, "read", "upload")
        return Client().post(address, text, KAFU, headers=headers)

    def refreshed(self) -> Record:
        return Record.objects.get(pk=self.broken.pk)


@pytest.fixture(scope="module")
def corrected(rows_for_all: None) -> Corrected:
    return Corrected()


def game_of(upload: Upload) -> Record:
    record = upload.submissions.get().record
    assert record is not None
    return record


def test_correction_sent_twice_takes_the_place_of_the_former_game(corrected: Corrected) -> None:
    address = reverse("api:uploads", query={"replaces": corrected.broken.key})
    headers = token(corrected.owner, "upload") | {"Idempotency-Key": "once"}
    keys = []
    for _ in range(2):
        response = Client().post(address, makers.text(3), KAFU, headers=headers)
        assert response.status_code == 202
        keys.append(response.json()["key"])
    assert len(set(keys)) == 1
    do_jobs()
    mended = game_of(Upload.objects.get(key=keys[0]))
    former = corrected.refreshed()
    assert mended.status == "verified"
    assert (former.visibility, former.gone_why) == (Visibility.WITHDRAWN, Gone.REPLACED)
    for client in (Client(), session(corrected.owner)):
        response = client.get(reverse("game", args=[former.key]), {"at": "1.2"})
        assert response.status_code == 301
        assert response["Location"] == f"{reverse('game', args=[mended.key])}?at=1.2"
    for name in ("record", "record-kafu", "record-replay", "record-sheet", "record-history"):
        response = Client().get(reverse(f"api:{name}", args=[former.key]))
        assert response.status_code == 301
        assert response["Location"] == reverse(f"api:{name}", args=[mended.key])
    embedded, replay = (
        Client().get(reverse("replay", args=[game.key])) for game in (former, mended)
    )
    assert embedded.status_code == 200, "other pages that embed the former game show the new one"
    assert embedded.content == replay.content


def test_history_tells_what_was_corrected(corrected: Corrected) -> None:
    mended = corrected.mend()
    address = reverse("api:record-history", args=[mended.key])
    response = Client().get(address).json()
    assert response["key"] == mended.key
    (step,) = response["corrections"]
    assert (step["former"], step["own"], step["cut"]) == (corrected.broken.key, False, False)
    assert all(change["deal"] for change in step["changes"])
    assert any(change["round"] == 1 for change in step["changes"])
    own_history = Client().get(address, headers=token(corrected.owner, "read")).json()
    assert own_history["corrections"][0]["own"]
    page = Client().get(reverse("game", args=[mended.key])).content.decode()
    assert "Its sender corrected the game." in page
    assert (
        "You corrected the game."
        in session(corrected.owner).get(reverse("game", args=[mended.key])).content.decode()
    )


def test_changes_of_long_texts_are_not_listed(corrected: Corrected) -> None:
    comment = f"{{{'a ' * 35_000}}}"
    mended = corrected.mend(makers.text(3).replace("\nmonth", f" {comment}\nmonth", 1))
    (step,) = Client().get(reverse("api:record-history", args=[mended.key])).json()["corrections"]
    assert (step["changes"], step["cut"]) == ([], True)
    page = Client().get(reverse("game", args=[mended.key])).content.decode()
    assert "Its sender corrected the game." in page


def test_corrected_claim_keeps_the_key_of_its_game(corrected: Corrected) -> None:
    world = copy(corrected)
    claimed = game_of(sent(makers.with_wrong_score(8), owner=world.owner))
    world.broken = claimed
    text = makers.text(8).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "Mended"]')
    mended = world.mend(text)
    assert mended.pk == claimed.pk
    assert (mended.status, mended.event) == ("verified", "Mended")
    (step,) = Client().get(reverse("api:record-history", args=[mended.key])).json()["corrections"]
    assert step["former"] == mended.key
    assert any("score" in change["before"] for change in step["changes"])
    # Words alone may be corrected too, although the verdict is no better.
    again = world.mend(text.replace("Mended", "Once more"))
    assert (again.pk, again.event) == (mended.pk, "Once more")


def test_note_and_collections_move_to_the_corrected_game(corrected: Corrected) -> None:
    ownership = Ownership.objects.get(record=corrected.broken)
    Ownership.objects.update(note="the fifth round")
    collection = Collection.objects.create(owner=corrected.owner, name="best")
    collection.ownerships.add(ownership)
    mended = corrected.mend()
    fresh = Ownership.objects.get(record=mended)
    assert fresh.note == "the fifth round"
    assert list(fresh.collections.all()) == [collection]


@pytest.mark.parametrize("level", part([Visibility.PRIVATE, Visibility.UNLISTED]))
def test_corrected_game_is_as_visible_as_the_former(
    corrected: Corrected, level: Visibility
) -> None:
    change_visibility(owner=corrected.owner.pk, records=[corrected.broken.pk], visibility=level)
    mended = corrected.mend()
    assert mended.visibility == level
    response = Client().get(reverse("game", args=[corrected.broken.key]))
    assert response.status_code == (410 if level is Visibility.PRIVATE else 301)


def test_game_is_not_replaced_by_others_than_its_owner(corrected: Corrected) -> None:
    problem(corrected.put(makers.text(3), by=user("other")), "forbidden", 403)
    problem(corrected.put(makers.text(3), key="nothing"), "not-found", 404)
    address = reverse("api:uploads", query={"replaces": corrected.broken.key})
    problem(Client().post(address, makers.text(3), KAFU), "forbidden", 403)
    assert corrected.refreshed().visibility == Visibility.PUBLIC


@pytest.mark.parametrize(
    "sent_text", ["", makers.MALFORMED, makers.text(3) + "\n" + makers.text(4)]
)
def test_correction_that_is_not_one_readable_game_is_rejected(
    corrected: Corrected, sent_text: str
) -> None:
    problem(corrected.put(sent_text), "one-game-only", 400)
    assert Upload.objects.count() == 1


@pytest.mark.long_only  # test_secret_corrections.py has such a game
def test_former_game_stays_public_for_its_other_owner(corrected: Corrected) -> None:
    sent(makers.illegal(3), owner=user("other"))
    corrected.mend()
    assert corrected.refreshed().visibility == Visibility.PUBLIC
    assert Client().get(reverse("game", args=[corrected.broken.key])).status_code == 200


def test_first_of_several_corrected_games_redirects_to_the_last(corrected: Corrected) -> None:
    first = corrected.mend(makers.illegal(4))
    response = corrected.put(makers.text(4), key=first.key)
    assert response.status_code == 202
    do_jobs()
    last = game_of(Upload.objects.get(key=response.json()["key"]))
    at = Client().get(reverse("game", args=[corrected.broken.key]), follow=True)
    assert at.redirect_chain == [(reverse("game", args=[last.key]), 301)]
    history = Client().get(reverse("api:record-history", args=[last.key])).json()
    assert [step["former"] for step in history["corrections"]] == [first.key, corrected.broken.key]


@pytest.mark.long_only  # test_secret_corrections.py returns to a former game
def test_correction_can_be_undone_by_the_former_text(corrected: Corrected) -> None:
    mended = corrected.mend()
    response = corrected.put(makers.illegal(3), key=mended.key)
    assert response.status_code == 202
    do_jobs()
    assert corrected.refreshed().gone is None
    assert Client().get(reverse("game", args=[corrected.broken.key])).status_code == 200
    at = Client().get(reverse("game", args=[mended.key]))
    assert at["Location"] == reverse("game", args=[corrected.broken.key])
    assert at["Cache-Control"] == "no-cache", "no browser goes in a circle"


@pytest.mark.parametrize("why", part([Gone.REMOVED, Gone.WITHDRAWN]))
def test_game_gone_after_its_correction_is_answered_as_gone(
    corrected: Corrected, why: Gone
) -> None:
    mended = corrected.mend()
    if why is Gone.REMOVED:
        take_down([mended.pk])
    else:
        change_visibility(
            owner=corrected.owner.pk, records=[mended.pk], visibility=Visibility.WITHDRAWN
        )
    for key in (corrected.broken.key, mended.key):
        page = Client().get(reverse("game", args=[key]))
        assert page.status_code == 410
        reason = "removed from the archive" if why is Gone.REMOVED else "withdrawn by its sender"
        assert reason in page.content.decode()
        body = problem(Client().get(reverse("api:record", args=[key])), "gone", 410)
        assert body["reason"] == why
        for address in (reverse("game", args=[key]), reverse("api:record", args=[key])):
            assert Client().get(address)["Cache-Control"] == "no-cache", "it may be restored"
        assert body["gone"].endswith("Z")


def test_owner_corrects_a_game_on_the_pages(corrected: Corrected) -> None:
    browser = session(corrected.owner)
    for name in ("check", "new-record"):
        response = browser.get(reverse(name), {"record": corrected.broken.key})
        page = join_lines(response.content.decode())
        assert f'name="replaces" value="{corrected.broken.key}"' in page
        strange = session(None).get(reverse(name), {"record": corrected.broken.key})
        assert 'name="replaces"' not in strange.content.decode()
    form = {"text": makers.text(3), "replaces": corrected.broken.key}
    refused = session(user("other")).post(reverse("upload"), form)
    assert refused.status_code == 400
    assert "Only the sender of a game can replace it" in refused.content.decode()
    many = browser.post(reverse("upload"), form | {"text": makers.text(3) + makers.text(4)})
    assert "send exactly one" in many.content.decode()
    assert Upload.objects.count() == 1
    assert browser.post(reverse("upload"), form).status_code == 302
    do_jobs()
    assert corrected.refreshed().gone_why == Gone.REPLACED
