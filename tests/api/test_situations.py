"""GET records/{key}/situations, and the page of situations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db.models import F
from django.test import Client

from kafu.judging.replay import stored_replay
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.facts.refresh import outdate
from records.models import Listing, Record, Upload, Visibility
from records.privacy import revisions
from records.services import visibility
from tests.api.contract import Api, problem
from tests.records.idle import do_idle_jobs
from tests.records.makers import UNSUPPORTED, ingest, upload, work_all

pytestmark = pytest.mark.django_db


def make_years(count: int) -> list[str]:
    """Return koi-koi years of a profile with many similar decisions."""
    profile = {"profile": "koikoi-ai"}
    return [write(simulate("koikoi", seed=seed, options=profile)) for seed in range(count)]


@dataclass(frozen=True)
class Common:
    """A step with a situation that occurs in several games of an indexed archive."""

    record: Record
    at: str
    body: dict[str, Any]

    @property
    def path(self) -> str:
        """Return the path of the game's situations."""
        return f"records/{self.record.key}/situations"


@pytest.fixture(scope="module")
def common_for_all(rows_for_all: None) -> Common:
    """Fill the archive with years of one owner; find a common step."""
    owner = get_user_model().objects.create_user("aya")
    for year in make_years(6):
        received = upload(year.encode())
        Upload.objects.filter(pk=received.pk).update(owner=owner)
    work_all()
    api = Api()
    for record in Record.objects.all():
        path = f"records/{record.key}/situations"
        for step in api.get(path).json()["steps"]:
            if step["aspect"] == "decision":
                body = api.get(path, {"at": step["at"]}).json()
                if body["situation"]["games"] > 2:
                    return Common(record, step["at"], body)
    raise AssertionError("no decision is common")


@pytest.fixture
def common(common_for_all: Common, db: None) -> Common:
    """Return an archive of several years and a common step."""
    return common_for_all


def test_steps_before_a_play_or_a_decision_are_compared(api: Api, common: Common) -> None:
    record = common.record
    body = api.get(common.path).json()
    assert (body["situation"], body["results"], body["complete"]) == (None, [], True)
    game = read(record.text).game
    assert game is not None
    deals = stored_replay(game)["deals"]
    assert len(body["steps"]) > 30
    for step in body["steps"]:
        deal, number = map(int, step["at"].split("."))
        then = deals[deal - 1]["steps"][number + 1]
        assert then["seat"] == step["seat"]
        assert (then["kind"] == "say") == (step["aspect"] == "decision")


def test_choices_are_counted_over_all_places(api: Api, common: Common) -> None:
    """Counts, shares and means equal those of the places, and each place lists the same places."""
    record, at, body = common.record, common.at, common.body
    situation, places = body["situation"], body["results"]
    assert situation["n"] == len(places) == sum(choice["n"] for choice in situation["choices"])
    assert situation["games"] == len({place["key"] for place in places})
    assert {"key": record.key, "at": at} in [
        {name: place[name] for name in ("key", "at")} for place in places
    ]
    assert sum(choice["is_own"] for choice in situation["choices"]) == 1
    for number, choice in enumerate(situation["choices"]):
        of_choice = [place for place in places if place["choice"] == number]
        assert len(of_choice) == choice["n"]
        for figure in ("margin", "score"):
            values = [place[figure] for place in of_choice]
            assert choice[figure] == pytest.approx(sum(values) / len(values))
        if choice["word"] == "shobu":
            assert {place["score"] for place in of_choice} == {situation["stop"]}
        assert choice["word"] in ("koikoi", "shobu")
        assert choice["share_low"] <= choice["share"] <= choice["share_high"]
    other_place = next(place for place in places if place["key"] != record.key)
    same = api.get(f"records/{other_place['key']}/situations", {"at": other_place["at"]}).json()
    assert same["results"] == places


def test_wider_match_has_more_places_and_fixes_fewer_parts(api: Api, common: Common) -> None:
    bodies = [
        api.get(common.path, {"at": common.at, "match": match, "page_size": "200"}).json()
        for match in ("exact", "value", "yaku")
    ]
    assert bodies[0]["results"] == common.body["results"]
    fixed = [body["situation"]["fixed"] for body in bodies]
    assert fixed[1:] == [["yaku", "stop"], ["yaku"]] and fixed[0][:2] == fixed[1]
    for narrow, wide in pairwise(bodies):
        assert narrow["situation"]["n"] <= wide["situation"]["n"] == len(wide["results"])
        narrow_places, wide_places = (
            {(place["key"], place["at"]) for place in body["results"]} for body in (narrow, wide)
        )
        assert narrow_places <= wide_places
    assert bodies[0]["situation"]["n"] < bodies[2]["situation"]["n"]
    refused = problem(api.get(common.path, {"at": common.at, "match": "all"}), status=400)
    assert "exact, value, yaku" in str(refused)


def test_each_place_is_on_one_page(api: Api, common: Common) -> None:
    """In both directions."""
    query = {"at": common.at, "page_size": "2"}
    page = api.get(common.path, query).json()
    forward = list(page["results"])
    while page["next"]:
        page = api.get(page["next"]).json()
        forward += page["results"]
    assert forward == common.body["results"]
    backward = list(page["results"])
    while page["previous"]:
        page = api.get(page["previous"]).json()
        backward = page["results"] + backward
    assert backward == common.body["results"]
    for fault in ({"cursor": "nonsense"}, {"page_size": "0"}, {"at": "x"}, {"other": "1"}):
        problem(api.get(common.path, {"at": common.at, **fault}), status=400)


def test_step_that_is_not_compared_has_no_situation(api: Api, common: Common) -> None:
    for at in ("1.7", "99.99", "1"):
        body = api.get(common.path, {"at": at}).json()
        steps = [step["at"] for step in body["steps"]]
        assert (body["situation"] is None) == (f"{at}.0".rsplit(".", at.count("."))[0] not in steps)


def test_etag_is_valid_until_a_game_is_hidden_or_shown(api: Api, common: Common) -> None:
    def get(tag: str = "") -> Any:
        return api.get(common.path, {"at": common.at}, **({"If-None-Match": tag} if tag else {}))

    first = get()
    assert get(first["ETag"]).status_code == 304
    places = common.body["results"]
    hidden = next(place["key"] for place in places if place["key"] != common.record.key)
    visible = [place for place in places if place["key"] != hidden]
    for level, expected in ((Visibility.PRIVATE, visible), (Visibility.PUBLIC, places)):
        visibility.request_change(Upload.objects.get(submissions__record__key=hidden), level)
        work_all()
        response = get(first["ETag"])
        assert response.status_code == 200
        result_places = [(place["key"], place["at"]) for place in response.json()["results"]]
        assert result_places == [(place["key"], place["at"]) for place in expected]
        assert response.json()["situation"]["n"] == len(expected)


def test_hidden_game_is_no_place_of_its_own_situation(api: Api, common: Common) -> None:
    """Viewers of a hidden game may query its situations; the places are public games."""
    record = common.record
    Record.objects.filter(pk=record.pk).update(visibility=Visibility.UNLISTED)
    Listing.objects.filter(pk=record.pk).update(visibility=Visibility.UNLISTED)
    revisions.advance()
    body = api.get(common.path, {"at": common.at}).json()
    other_places = [place for place in common.body["results"] if place["key"] != record.key]
    assert [place["at"] for place in body["results"]] == [place["at"] for place in other_places]
    assert body["situation"]["n"] == len(other_places)


def test_score_sheet_has_no_steps(api: Api, db: None) -> None:
    received = ingest(UNSUPPORTED.encode())
    sheet = Record.objects.get(submissions__upload=received)
    body = api.get(f"records/{sheet.key}/situations", {"at": "1.0"}).json()
    assert (body["steps"], body["situation"]) == ([], None)


def test_result_is_incomplete_until_all_games_have_facts(api: Api, common: Common) -> None:
    """Facts that are rewritten after an analysis count meanwhile."""
    outdate(Record.objects.filter(pk=common.record.pk))
    body = api.get(common.path, {"at": common.at}).json()
    assert body["complete"] and body["results"] == common.body["results"]
    Record.objects.filter(pk=common.record.pk).update(
        revision=F("revision") + 1, valid_from=F("revision") + 1
    )
    revisions.advance()
    body = api.get(common.path, {"at": common.at}).json()
    assert not body["complete"]
    assert common.record.key not in {place["key"] for place in body["results"]}
    do_idle_jobs("facts")
    body = api.get(common.path, {"at": common.at}).json()
    assert body["complete"] and body["results"] == common.body["results"]


def test_page_links_to_its_steps_and_to_the_places(client: Client, common: Common) -> None:
    record, at, body = common.record, common.at, common.body
    address = f"/games/{record.key}/situations/"
    assert f'href="{address}"' in client.get(f"/games/{record.key}/").content.decode()
    assert f'href="?at={at}"' in client.get(address).content.decode()
    response = client.get(address, {"at": at})
    html = response.content.decode()
    for place in body["results"][:20]:
        assert f'href="/games/{place["key"]}/?at={place["at"]}"' in html
    assert response.context["counts"].games == body["situation"]["games"]
    assert response.context["is_complete"]
    assert 'match=yaku"' in html and "not compared" not in html
    assert body["situation"]["n"] < 10
    assert {row.share for row in response.context["choices"]} == {""}, "no share of few cases"
    wide = client.get(address, {"at": at, "match": "yaku"})
    assert wide.context["counts"].cases >= body["situation"]["n"]
    assert "not compared" in wide.content.decode()
    not_compared = client.get(address, {"at": "1.7"}).content.decode()
    assert "This step is not compared" in not_compared
    assert client.get("/games/nothing/situations/").status_code == 404


def test_page_draws_the_cards_of_a_situation_and_its_choices(
    client: Client, api: Api, common: Common
) -> None:
    steps = api.get(common.path).json()["steps"]
    for aspect in ("field", "captured"):
        at = next(step["at"] for step in steps if step["aspect"] == aspect)
        address = f"/games/{common.record.key}/situations/"
        html = client.get(address, {"at": at}).content.decode()
        table = html.partition("<tbody>")[2].partition("</tbody>")[0]
        assert 'class="card"' in table
        assert "this game" in table


def test_page_names_the_months_of_a_game_that_repeats_one(client: Client) -> None:
    ingest(write(simulate("koikoi", seed=6)).encode())  # month 3 twice, no turn in month 12
    record = Record.objects.latest("pk")
    deals = client.get(f"/games/{record.key}/situations/").context["deals"]
    months = dict.fromkeys(deal.month for deal in deals)
    assert [*months] == [f"Month {number}" for number in range(1, 12)]
