"""GET records/{key}/situations."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from kafu.judging.replay import replay
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Listing, Record, Upload, Visibility
from records.privacy import revisions
from records.store import visibility
from tests.api.contract import Api, problem
from tests.records.makers import UNSUPPORTED, do_idle, ingest, joined, text, upload, work_all

pytestmark = pytest.mark.django_db


def years(count: int = 6) -> list[str]:
    """Koi-koi years of a house with many decisions that are alike."""
    house = {"profile": "koikoi-ai"}
    return [write(simulate("koikoi", seed=seed, options=house)) for seed in range(count)]


def common(api: Api) -> tuple[Record, str, dict[str, Any]]:
    """A step whose situation occurs in several games, and the answer to it."""
    for record in Record.objects.all():
        path = f"records/{record.key}/situations"
        for step in api.get(path).json()["steps"]:
            if step["aspect"] == "decision":
                body = api.get(path, {"at": step["at"]}).json()
                if body["situation"]["games"] > 2:
                    return record, step["at"], body
    raise AssertionError("no decision is common")


def test_the_steps_that_are_compared(api: Api, record: Record) -> None:
    """Without a step, all of them; each is one after which the seat plays a card or decides."""
    do_idle()
    body = api.get(f"records/{record.key}/situations").json()
    assert (body["situation"], body["results"], body["complete"]) == (None, [], True)
    game = read(record.text).game
    assert game is not None
    deals = replay(game)["deals"]
    assert len(body["steps"]) > 30
    for step in body["steps"]:
        deal, number = map(int, step["at"].split("."))
        then = deals[deal - 1]["steps"][number + 1]
        assert then["seat"] == step["seat"]
        assert (then["kind"] == "say") == (step["aspect"] == "decision")


def test_what_was_chosen_and_what_came_of_it(api: Api) -> None:
    """Counts, shares and means are those of the places, and each place leads to the same."""
    ingest(joined(*years()))
    do_idle()
    record, at, body = common(api)
    found = body["situation"]
    assert found["n"] == len(body["results"]) == sum(one["n"] for one in found["choices"])
    assert found["games"] == len({one["key"] for one in body["results"]})
    assert {"key": record.key, "at": at} in [
        {name: one[name] for name in ("key", "at")} for one in body["results"]
    ]
    assert sum(one["is_own"] for one in found["choices"]) == 1
    for number, choice in enumerate(found["choices"]):
        scores = [one["score"] for one in body["results"] if one["choice"] == number]
        assert len(scores) == choice["n"]
        assert choice["score"] == pytest.approx(sum(scores) / len(scores))
        assert choice["word"] in ("koikoi", "shobu")
        assert choice["share_low"] <= choice["share"] <= choice["share_high"]
    other = next(one for one in body["results"] if one["key"] != record.key)
    same = api.get(f"records/{other['key']}/situations", {"at": other["at"]}).json()
    assert same["results"] == body["results"]


def test_pages_of_places(api: Api) -> None:
    """Each place stands on one page, whichever way one goes."""
    ingest(joined(*years()))
    do_idle()
    record, at, body = common(api)
    whole = body["results"]
    page = api.get(f"records/{record.key}/situations", {"at": at, "page_size": "2"}).json()
    found, last = list(page["results"]), page
    while last["next"]:
        last = api.get(last["next"]).json()
        found += last["results"]
    assert found == whole
    back = list(last["results"])
    while last["previous"]:
        last = api.get(last["previous"]).json()
        back = last["results"] + back
    assert back == whole
    for query in ({"cursor": "nonsense"}, {"page_size": "0"}, {"at": "x"}, {"other": "1"}):
        answer = api.get(f"records/{record.key}/situations", {"at": at, **query})
        problem(answer, status=400)


def test_a_step_that_is_not_compared(api: Api, record: Record) -> None:
    """And one that is not there."""
    do_idle()
    for at in ("1.7", "99.99", "1"):
        body = api.get(f"records/{record.key}/situations", {"at": at}).json()
        steps = [one["at"] for one in body["steps"]]
        assert (body["situation"] is None) == (f"{at}.0".rsplit(".", at.count("."))[0] not in steps)


def test_an_answer_is_kept_until_games_come_or_go(api: Api) -> None:
    """304 for who has it; another one once a game is hidden, at once, or is there again."""
    owner = get_user_model().objects.create_user("aya")
    for year in years():
        sent = upload(year.encode())
        Upload.objects.filter(pk=sent.pk).update(owner=owner)
    work_all()
    do_idle()
    record, at, body = common(api)
    path = f"records/{record.key}/situations"

    def asked(tag: str = "") -> Any:
        return api.get(path, {"at": at}, **({"If-None-Match": tag} if tag else {}))

    first = asked()
    assert asked(first["ETag"]).status_code == 304
    gone = next(one["key"] for one in body["results"] if one["key"] != record.key)
    rest = [one for one in body["results"] if one["key"] != gone]
    for level, places in ((Visibility.PRIVATE, rest), (Visibility.PUBLIC, body["results"])):
        visibility.request_change(Upload.objects.get(submissions__record__key=gone), level)
        work_all()
        answer = asked(first["ETag"])
        assert answer.status_code == 200
        assert answer.json()["results"] == places
        assert answer.json()["situation"]["n"] == len(places)


def test_only_public_games_are_in_it_even_for_their_owner(api: Api) -> None:
    """Who may see a hidden game may ask about it; the places are of public games."""
    ingest(joined(*years()))
    do_idle()
    record, at, body = common(api)
    Record.objects.filter(pk=record.pk).update(visibility=Visibility.UNLISTED)
    Listing.objects.filter(pk=record.pk).update(visibility=Visibility.UNLISTED)
    revisions.advance()
    answer = api.get(f"records/{record.key}/situations", {"at": at}).json()
    rest = [one for one in body["results"] if one["key"] != record.key]
    assert answer["results"] == rest
    assert answer["situation"]["n"] == len(rest)


def test_a_game_without_steps(api: Api) -> None:
    """A score sheet has nothing to compare."""
    ingest(UNSUPPORTED.encode())
    body = api.get(f"records/{Record.objects.get().key}/situations", {"at": "1.0"}).json()
    assert (body["steps"], body["situation"]) == ([], None)


def test_it_says_what_is_not_counted_yet(api: Api) -> None:
    """Games that came in since the index was made."""
    ingest(text(1).encode())
    record = Record.objects.get()
    path = f"records/{record.key}/situations"
    assert not api.get(path).json()["complete"]
    do_idle()
    assert api.get(path).json()["complete"]
    ingest(text(2).encode())
    assert not api.get(path).json()["complete"]


def test_the_page(client: Client) -> None:
    """From the game to the page, to a step of it, and to the other games."""
    ingest(joined(*years()))
    do_idle()
    record, at, body = common(Api())
    address = f"/games/{record.key}/situations/"
    assert f'href="{address}"' in client.get(f"/games/{record.key}/").content.decode()
    plain = client.get(address).content.decode()
    assert f'href="?at={at}"' in plain
    page = client.get(address, {"at": at})
    shown = page.content.decode()
    for one in body["results"][:20]:
        assert f'href="/games/{one["key"]}/?at={one["at"]}"' in shown
    assert page.context["answer"].games == body["situation"]["games"]
    assert page.context["is_complete"]
    unknown = client.get(address, {"at": "1.7"}).content.decode()
    assert "This step is not compared" in unknown
    assert client.get("/games/nothing/situations/").status_code == 404


def test_the_page_of_a_card(client: Client) -> None:
    """The dealt field and captured cards are drawn; so are the cards that were chosen."""
    ingest(joined(*years(3)))
    do_idle()
    record = Record.objects.order_by("pk")[0]
    steps = Api().get(f"records/{record.key}/situations").json()["steps"]
    for aspect in ("field", "captured"):
        at = next(one["at"] for one in steps if one["aspect"] == aspect)
        page = client.get(f"/games/{record.key}/situations/", {"at": at}).content.decode()
        table = page.partition("<tbody>")[2].partition("</tbody>")[0]
        assert 'class="card"' in table
        assert "this game" in table
