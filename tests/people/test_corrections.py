"""A game takes the place of another: its address, its history, who may, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Collection
from records.models import Gone, Ownership, Player, Record, Upload, Visibility
from records.operations import comparison, rebuild, totals_check
from records.store.ownership import change_visibility, take_down
from tests.api.contract import problem
from tests.people.world import sent, session, token, user
from tests.records import makers

pytestmark = pytest.mark.django_db
KAFU = "text/x-kafu"


class Corrected:
    """A broken game, and the same one mended by its sender."""

    def __init__(self) -> None:
        self.owner = user("owner")
        self.broken = game_of(sent(makers.illegal(3), owner=self.owner))

    def mend(self, text: str = "", **query: str) -> Record:
        found = self.put(text or makers.text(3), **query)
        assert found.status_code == 202, found.content
        upload = Upload.objects.get(key=found.json()["key"])
        makers.work_all()
        return game_of(upload)

    def put(self, text: str, *, by: Any = None, key: str = "", **query: str) -> Any:
        address = reverse("api:uploads", query={"replaces": key or self.broken.key, **query})
        headers = token(by or self.owner, "read", "upload")
        return Client().post(address, text, KAFU, headers=headers)

    def refreshed(self) -> Record:
        return Record.objects.get(pk=self.broken.pk)


@pytest.fixture
def corrected() -> Corrected:
    return Corrected()


def game_of(upload: Upload) -> Record:
    found = upload.submissions.get().record
    assert found is not None
    return found


def test_it_takes_its_place(corrected: Corrected) -> None:
    mended = corrected.mend()
    former = corrected.refreshed()
    assert mended.status == "verified"
    assert (former.visibility, former.gone_why) == (Visibility.WITHDRAWN, Gone.REPLACED)
    for client in (Client(), session(corrected.owner)):
        found = client.get(reverse("game", args=[former.key]), {"at": "1.2"})
        assert found.status_code == 301
        assert found["Location"] == f"{reverse('game', args=[mended.key])}?at=1.2"
    for name in ("record", "record-kafu", "record-replay", "record-sheet", "record-history"):
        found = Client().get(reverse(f"api:{name}", args=[former.key]))
        assert found.status_code == 301
        assert found["Location"] == reverse(f"api:{name}", args=[mended.key])


def test_what_other_pages_embed_is_the_new_one(corrected: Corrected) -> None:
    mended = corrected.mend()
    former, fresh = (
        Client().get(reverse("replay", args=[key])) for key in (corrected.broken.key, mended.key)
    )
    assert former.status_code == 200
    assert former.content == fresh.content


def test_sent_twice_it_is_replaced_once(corrected: Corrected) -> None:
    address = reverse("api:uploads", query={"replaces": corrected.broken.key})
    headers = token(corrected.owner, "upload") | {"Idempotency-Key": "once"}
    keys = []
    for _ in range(2):
        answer = Client().post(address, makers.text(3), KAFU, headers=headers)
        assert answer.status_code == 202
        keys.append(answer.json()["key"])
    assert len(set(keys)) == 1
    makers.work_all()
    assert corrected.refreshed().gone_why == Gone.REPLACED


def test_figures_follow(corrected: Corrected) -> None:
    before = Player.objects.order_by("pk").values_list("name", "games")
    counted = dict(before)
    corrected.mend()
    makers.do_idle()
    assert dict(before) == counted
    assert not list(comparison.miscounted())
    assert not list(totals_check.differences())


def test_the_history_says_what_changed(corrected: Corrected) -> None:
    mended = corrected.mend()
    address = reverse("api:record-history", args=[mended.key])
    found = Client().get(address).json()
    assert found["key"] == mended.key
    (step,) = found["corrections"]
    assert (step["former"], step["own"], step["cut"]) == (corrected.broken.key, False, False)
    assert all(change["deal"] for change in step["changes"])
    assert any(change["round"] == 1 for change in step["changes"])
    own = Client().get(address, headers=token(corrected.owner, "read")).json()
    assert own["corrections"][0]["own"]
    page = Client().get(reverse("game", args=[mended.key])).content.decode()
    assert "Its sender corrected the game." in page
    assert (
        "You corrected the game."
        in session(corrected.owner).get(reverse("game", args=[mended.key])).content.decode()
    )


def test_a_claim_that_is_corrected_leaves_the_key() -> None:
    world = Corrected()
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


def test_note_and_collections_go_along(corrected: Corrected) -> None:
    own = Ownership.objects.get(record=corrected.broken)
    Ownership.objects.update(note="the fifth round")
    collection = Collection.objects.create(owner=corrected.owner, name="best")
    collection.ownerships.add(own)
    mended = corrected.mend()
    fresh = Ownership.objects.get(record=mended)
    assert fresh.note == "the fifth round"
    assert list(fresh.collections.all()) == [collection]


@pytest.mark.parametrize("level", [Visibility.PRIVATE, Visibility.UNLISTED])
def test_it_is_as_visible_as_the_former(level: Visibility) -> None:
    world = Corrected()
    change_visibility(owner=world.owner.pk, records=[world.broken.pk], visibility=level)
    mended = world.mend()
    assert mended.visibility == level
    found = Client().get(reverse("game", args=[world.broken.key]))
    assert found.status_code == (410 if level is Visibility.PRIVATE else 301)


def test_what_was_private_is_not_quoted() -> None:
    world = Corrected()
    world.broken = game_of(
        sent(makers.illegal(5), owner=world.owner, visibility=Visibility.PRIVATE)
    )
    mended = world.mend(makers.text(5), visibility="public")
    address = reverse("api:record-history", args=[mended.key])
    (step,) = Client().get(address).json()["corrections"]
    assert step["changes"] is None
    (own,) = Client().get(address, headers=token(world.owner, "read")).json()["corrections"]
    assert own["changes"]
    assert Client().get(reverse("game", args=[world.broken.key])).status_code == 404


def test_only_who_has_it(corrected: Corrected) -> None:
    problem(corrected.put(makers.text(3), by=user("other")), "forbidden", 403)
    problem(corrected.put(makers.text(3), key="nothing"), "not-found", 404)
    address = reverse("api:uploads", query={"replaces": corrected.broken.key})
    problem(Client().post(address, makers.text(3), KAFU), "forbidden", 403)
    assert corrected.refreshed().visibility == Visibility.PUBLIC


@pytest.mark.parametrize(
    "sent_text", ["", makers.MALFORMED, makers.text(3) + "\n" + makers.text(4)]
)
def test_only_one_game_that_can_be_read(corrected: Corrected, sent_text: str) -> None:
    problem(corrected.put(sent_text), "one-game-only", 400)
    assert Upload.objects.count() == 1


def test_others_keep_theirs(corrected: Corrected) -> None:
    sent(makers.illegal(3), owner=user("other"))
    corrected.mend()
    assert corrected.refreshed().visibility == Visibility.PUBLIC
    assert Client().get(reverse("game", args=[corrected.broken.key])).status_code == 200


def test_step_by_step_to_the_last(corrected: Corrected) -> None:
    first = corrected.mend(makers.illegal(4))
    found = corrected.put(makers.text(4), key=first.key)
    assert found.status_code == 202
    makers.work_all()
    last = game_of(Upload.objects.get(key=found.json()["key"]))
    at = Client().get(reverse("game", args=[corrected.broken.key]), follow=True)
    assert at.redirect_chain == [(reverse("game", args=[last.key]), 301)]
    history = Client().get(reverse("api:record-history", args=[last.key])).json()
    assert [one["former"] for one in history["corrections"]] == [first.key, corrected.broken.key]


def test_back_again(corrected: Corrected) -> None:
    mended = corrected.mend()
    found = corrected.put(makers.illegal(3), key=mended.key)
    assert found.status_code == 202
    makers.work_all()
    assert corrected.refreshed().gone is None
    assert Client().get(reverse("game", args=[corrected.broken.key])).status_code == 200
    at = Client().get(reverse("game", args=[mended.key]))
    assert at["Location"] == reverse("game", args=[corrected.broken.key])
    assert at["Cache-Control"] == "no-cache", "no browser goes in a circle"


@pytest.mark.parametrize("why", [Gone.WITHDRAWN, Gone.REMOVED])
def test_what_is_gone_is_said_to_be(corrected: Corrected, why: Gone) -> None:
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
        words = "removed from the archive" if why is Gone.REMOVED else "withdrawn by its sender"
        assert words in page.content.decode()
        answer = problem(Client().get(reverse("api:record", args=[key])), "gone", 410)
        assert answer["reason"] == why
        for address in (reverse("game", args=[key]), reverse("api:record", args=[key])):
            assert Client().get(address)["Cache-Control"] == "no-cache", "it may be restored"
        assert answer["gone"].endswith("Z")


def test_a_removed_text_is_not_quoted(corrected: Corrected) -> None:
    mended = corrected.mend()
    take_down([corrected.broken.pk])
    (step,) = Client().get(reverse("api:record-history", args=[mended.key])).json()["corrections"]
    assert step["changes"] is None


def test_by_the_page(corrected: Corrected) -> None:
    browser = session(corrected.owner)
    for name in ("check", "new-record"):
        page = browser.get(reverse(name), {"record": corrected.broken.key}).content.decode()
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
    makers.work_all()
    assert corrected.refreshed().gone_why == Gone.REPLACED


def test_a_rebuilt_archive_knows_of_it(corrected: Corrected) -> None:
    mended = corrected.mend()
    rebuild.begin()
    rebuild.work(lambda _: None)
    assert corrected.refreshed().visibility == Visibility.WITHDRAWN
    assert Client().get(reverse("game", args=[corrected.broken.key])).status_code == 301
    assert Record.objects.get(pk=mended.pk).visibility == Visibility.PUBLIC
    assert not list(comparison.miscounted())
