"""What a new ruleset takes: a machine and its description (`tests.bakahana`), nothing else.

It is registered for each test and forgotten after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from drf_spectacular.plumbing import _load_enum_name_overrides
from jsonschema import Draft202012Validator

import kafu
from kafu.cli.main import main
from kafu.judging.verify import verify
from kafu.notation.json.form import from_json, to_json
from kafu.notation.json.schema import schema
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.odds.exact import odds
from kafu.rules.rulesets import RULESETS, Unsupported, register
from kafu.simulation.simulate import simulate
from records.models import Record
from records.opendata import making, parquet
from records.opendata.months import month_of
from records.statistics.registry import FIGURES
from tests.bakahana import BAKAHANA, registered
from tests.people.world import session, user
from tests.records.makers import ingest

ID = BAKAHANA.id
#: What it has no use for: decisions, dealt-hand yaku, field grades, hatto.
LACKING = {"decisions", "hands", "grades", "hatto"}


@pytest.fixture(autouse=True)
def sixth() -> Iterator[None]:
    """The ruleset for as long as a test runs."""
    _load_enum_name_overrides.cache_clear()
    with registered():
        yield
    _load_enum_name_overrides.cache_clear()
    assert ID not in RULESETS and ID not in RULES


def text(seed: int = 1) -> str:
    """A simulated game as canonical text."""
    return write(simulate(ID, seed=seed))


@pytest.fixture
def record(db: None) -> Record:
    """A game of it in the archive, among others."""
    ingest(text().encode(), write(simulate("koikoi", seed=1)).encode())
    return Record.objects.get(ruleset=ID)


def page(path: str, query: dict[str, str] | None = None, lang: str = "en") -> str:
    """A page, which must be there."""
    response: Any = Client().get(path, query or {}, headers={"Accept-Language": lang})
    assert response.status_code == 200, path
    return str(response.content.decode())


def api(path: str, query: dict[str, str] | None = None) -> Any:
    """An answer of the API, which must be there."""
    response = Client().get(f"/api/v1/{path}", query or {})
    assert response.status_code == 200, response.content
    return response.json()


# The library ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "rare"), [("sensible", False), ("random", False), ("random", True)]
)
def test_simulated_games_are_read_and_verified(player: str, rare: bool) -> None:
    for seed in range(1, 6):
        game = simulate(ID, seed=seed, player=player, options={"months": "12"}, rare=rare)
        again = read(write(game))
        assert again.game == game
        verdict = verify(again).verdict
        assert (verdict.status, verdict.warnings) == ("verified", [])
        assert verdict.final is not None and sum(verdict.final) == 0
        won = [deal.winner for deal in verdict.deals[:-1]]
        dealt = [deal.dealer for deal in verdict.deals]
        assert all(
            after == (one or before)
            for before, one, after in zip(dealt, won, dealt[1:], strict=False)
        )


def test_its_json_and_schema() -> None:
    game = simulate(ID, seed=2)
    data = to_json(game)
    Draft202012Validator(schema()).validate(data)
    assert from_json(data).game == game


def test_what_its_rules_forbid_is_illegal() -> None:
    game = simulate(ID, seed=1)
    game.months[0].redeal = "ba4"
    assert verify(read(write(game))).verdict.status == "illegal"


def test_options_are_its_own() -> None:
    fault = read(
        text().replace(f'[Rules "{ID}"]\n', f'[Rules "{ID}"]\n[Options "months=7"]\n')
    ).fault
    assert fault is not None and fault.expected == ("6", "12")


def test_odds_of_hands_without_yaku_are_those_of_the_field() -> None:
    found = odds(ID)
    assert (found.hands.any, found.hands.total, found.year) == (0, comb(48, 10), None)
    assert found.fours == 12 * comb(44, 4) - comb(12, 2)


def test_the_facade_and_the_command_line_know_it(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = (one for one in kafu.rulesets() if one.id == ID)
    assert (told.name.ja, list(told.seats)) == ("ばか花", [2])
    assert told.options["months"].expected == ("6", "12")
    assert told.defaults()["months"] == "6"
    game = kafu.play(kafu.Table(ID), ["random", "sensible"], 1).game()
    assert kafu.verify(game).status == "verified"
    assert kafu.odds_of(ID).hands.any == 0
    assert main(["simulate", ID, "--seed", "1"]) == 0
    assert capsys.readouterr().out.strip() == text().strip()


def test_it_is_registered_once() -> None:
    with pytest.raises(ValueError, match=ID):
        register(BAKAHANA)


def test_one_that_is_not_registered_is_unknown() -> None:
    with pytest.raises(Unsupported):
        odds("daifugo")


# The archive ----------------------------------------------------------------------------------


def test_the_commands_know_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate", ID, "--seed=1")
    assert capsys.readouterr().out == text()
    call_command("odds", ID)
    assert "Four of a month on the field" in capsys.readouterr().out


def test_an_uploaded_game_is_stored_and_listed(record: Record) -> None:
    assert (record.status, record.profile, record.text) == ("verified", ID, text())
    listed = page("/games/", {"ruleset": ID})
    assert record.key in listed and "bakahana" in listed
    assert record.key not in page("/games/", {"ruleset": "koikoi"})
    assert record.key in page("/games/", {"profile": ID, "score_min": "0"})
    assert "ばか花" in page("/games/", lang="ja")
    (found,) = api("records", {"ruleset": ID})["results"]
    assert (found["key"], found["ruleset"]) == (record.key, ID)
    assert api("records", {"ruleset": "koikoi"})["results"][0]["key"] != record.key


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_its_pages(record: Record, lang: str) -> None:
    for path in ("", "moves/", "sheet", "sheet.csv", "1.5.png", "frame"):
        response = Client().get(f"/games/{record.key}/{path}", headers={"Accept-Language": lang})
        assert response.status_code == 200, path
    assert f"/rules/{ID}/" in page(f"/games/{record.key}/", lang=lang)
    page(f"/embed/{record.key}/", lang=lang)
    player = record.seats.get(number=1).player
    assert player is not None
    assert BAKAHANA.name.label(lang) in page(f"/players/{player.key}/", lang=lang)
    page("/", lang=lang)


def test_it_is_replayed(record: Record) -> None:
    replay = json.loads(page(f"/games/{record.key}/replay.json"))
    assert (replay["rules"], replay["points"]["A"], replay["sets"]) == (ID, 20, [])
    assert len(replay["deals"]) == record.deals_played
    deal = next(deal for deal in replay["deals"] if deal["winner"])
    assert len([step for step in deal["steps"] if step["kind"] == "stock"]) == 20
    assert replay["final"] == [str(seat.final).replace("-", "−") for seat in record.seats.all()]
    assert api(f"records/{record.key}/replay")["ruleset"] == ID
    assert api(f"records/{record.key}/sheet")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_its_rules_are_given_by_the_description(lang: str) -> None:
    rules = page(f"/rules/{ID}/", lang=lang)
    assert BAKAHANA.name.label(lang) in rules
    for told in ("10", "8", "264", "months=6", "<code>12</code>"):
        assert told in rules, told
    assert f"/odds/{ID}/" in rules
    assert BAKAHANA.name.label(lang) in page("/rules/", lang=lang)
    assert Client().get(f"/rules/{ID}/nowhere/").status_code == 404


def test_cards_show_what_they_count_in_it() -> None:
    assert page("/cards/").count(f'href="/rules/{ID}/"') == 48


def test_the_page_of_its_odds_says_that_it_has_no_yaku() -> None:
    told = page(f"/odds/{ID}/")
    assert "no dealt-hand yaku" in told
    assert "Four of a month on the field" in told
    assert api(f"odds/{ID}")["hand"]["any"]["count"] == 0
    assert "no dealt-hand yaku" not in page("/odds/koikoi/")


def test_its_statistics(record: Record) -> None:
    told = page(f"/statistics/{ID}/")
    has = {id for id, figure in FIGURES.items() if ID in figure.rulesets}
    assert has == set(FIGURES) - LACKING
    for id in ("seats", "scores", "cards", "ends"):
        assert f'id="{id}"' in told
        query = {"ruleset": ID, "option": "months=6"}
        assert api(f"statistics/{id}", query)["games"] == 1
    for id in LACKING:
        assert f'id="{id}"' not in told
        answer = Client().get(f"/api/v1/statistics/{id}", {"ruleset": ID})
        assert answer.status_code == 400
    assert f"/statistics/{ID}/" in page("/statistics/")
    listed = {one["id"]: one["rulesets"] for one in api("statistics")["statistics"]}
    assert ID in listed["seats"] and ID not in listed["decisions"]


def test_a_player_is_compared_in_it(record: Record) -> None:
    names = [seat.player.name for seat in record.seats.all() if seat.player]
    one, other = names[:2]
    assert api("statistics/compare", {"ruleset": ID, "player": one})["games"] == 1
    versus = api("statistics/versus", {"ruleset": ID, "player": one, "opponent": other})
    assert versus["n"] == 1
    players = api("statistics/players", {"ruleset": ID, "games_min": "1"})
    assert {row["player"] for row in players["rows"]} == {one, other}


def test_the_api_names_it(record: Record) -> None:
    (name,) = (one for one in api("names")["rulesets"] if one["id"] == ID)
    assert (name["ja"], name["romaji"]) == ("ばか花", "bakahana")
    assert ID in api("kafu.schema.json")["$defs"]["rules"]["enum"]
    document = api("schema", {"format": "json"})
    assert ID in document["components"]["schemas"]["RulesetEnum"]["enum"]
    parameters = document["paths"]["/api/v1/statistics/seats"]["get"]["parameters"]
    (asked,) = (one for one in parameters if one["name"] == "ruleset")
    assert ID in asked["schema"]["enum"]
    (asked,) = (one for one in parameters if one["name"] == "profile")
    assert ID in asked["schema"]["enum"]


def test_the_api_verifies_it(db: None) -> None:
    answer = Client().post("/api/v1/verify", text(), content_type="text/x-kafu")
    assert answer.status_code == 200
    assert ID in answer.content.decode()


def test_exports_have_it(record: Record) -> None:
    response: Any = Client().get("/api/v1/records", {"format": "ndjson", "ruleset": ID})
    (line,) = response.getvalue().decode().splitlines()
    assert json.loads(line)["text"] == text()


def test_a_dump_has_it(record: Record, tmp_path: Path, settings: LazySettings) -> None:
    settings.DUMPS_DIR = tmp_path
    dump = making.make(month_of(timezone.now()))
    tables = parquet.connect(tmp_path / dump.directory)
    asked = "SELECT count(*) FROM 'games.parquet' WHERE ruleset = 'bakahana'"
    assert tables.execute(asked).fetchall() == [(1,)]


def test_the_admin_offers_it(record: Record) -> None:
    listed = session(user("staff", staff=True)).get("/admin/records/record/", {"ruleset": ID})
    assert listed.status_code == 200 and record.key in listed.content.decode()
