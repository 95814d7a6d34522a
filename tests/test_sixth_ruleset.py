"""A new ruleset needs a machine and a description (`tests.bakahana`), nothing else.

The module registers the ruleset for its tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from drf_spectacular.plumbing import _load_enum_name_overrides

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
from records.opendata import dump_job, notebook
from records.opendata.schedule import month_of
from records.statistics.registry import FIGURES
from tests.bakahana import BAKAHANA, registered
from tests.people.world import session, user
from tests.records.makers import ingest, stored_in

ID = BAKAHANA.id
#: The name by language of a page.
NAMES = {"en": "Bakahana (flower matching for two)", "ja": "ばか花"}
#: Figures without data: the ruleset has no decisions, dealt-hand yaku, field grades or hatto.
LACKING = {"decisions", "hands", "grades", "hatto"}


@pytest.fixture(scope="module", autouse=True)
def sixth() -> Iterator[None]:
    """Register the ruleset for the module."""
    _load_enum_name_overrides.cache_clear()
    with registered():
        yield
    _load_enum_name_overrides.cache_clear()
    assert ID not in RULESETS and ID not in RULES


def text(seed: int = 1) -> str:
    """Return a simulated game as canonical text."""
    return write(simulate(ID, seed=seed))


@pytest.fixture(scope="module")
def record_for_all(sixth: None, rows_for_all: None) -> Record:
    ingest(text().encode(), write(simulate("koikoi", seed=1)).encode())
    return Record.objects.get(ruleset=ID)


@pytest.fixture
def record(record_for_all: Record, db: None) -> Record:
    """Return a game of the ruleset in an archive with another game."""
    return record_for_all


def get_page(path: str, query: dict[str, str] | None = None, lang: str = "en") -> str:
    """Return a page; fail unless the status is 200."""
    response: Any = Client().get(path, query or {}, headers={"Accept-Language": lang})
    assert response.status_code == 200, path
    return str(response.content.decode())


def get_json(path: str, query: dict[str, str] | None = None) -> Any:
    """Return a response of the API; fail unless the status is 200."""
    response = Client().get(f"/api/v1/{path}", query or {})
    assert response.status_code == 200, response.content
    return response.json()


# The library ----------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["sensible", "random"])
def test_simulated_games_are_read_and_verified(player: str) -> None:
    for seed in range(1, 4):
        game = simulate(ID, seed=seed, player=player, options={"months": "12"})
        reading = read(write(game))
        assert reading.game == game
        verdict = verify(reading).verdict
        assert (verdict.status, verdict.warnings) == ("verified", [])
        assert verdict.final is not None and sum(verdict.final) == 0
        winners = [deal.winner for deal in verdict.deals[:-1]]
        dealers = [deal.dealer for deal in verdict.deals]
        assert all(
            following == (winner or dealer)
            for dealer, winner, following in zip(dealers, winners, dealers[1:], strict=False)
        )


def test_json_follows_the_schema() -> None:
    game = simulate(ID, seed=2)
    data = to_json(game)
    jsonschema_rs.validate(schema(), data)
    assert from_json(data).game == game


def test_forbidden_redeal_is_illegal() -> None:
    game = simulate(ID, seed=1)
    game.months[0].redeal = "ba4"
    assert verify(read(write(game))).verdict.status == "illegal"


def test_option_of_another_value_is_a_fault() -> None:
    fault = read(
        text().replace(f'[Rules "{ID}"]\n', f'[Rules "{ID}"]\n[Options "months=7"]\n')
    ).fault
    assert fault is not None and fault.expected == ("6", "12")


def test_odds_without_hand_yaku_are_those_of_the_field() -> None:
    chances = odds(ID)
    assert (chances.hands.any, chances.hands.total, chances.year) == (0, comb(48, 10), None)
    assert chances.fours == 12 * comb(44, 4) - comb(12, 2)


def test_facade_and_command_line_offer_the_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    (ruleset,) = (ruleset for ruleset in kafu.rulesets() if ruleset.id == ID)
    assert (ruleset.name.ja, list(ruleset.seats)) == ("ばか花", [2])
    assert ruleset.options["months"].expected == ("6", "12")
    assert ruleset.defaults()["months"] == "6"
    game = kafu.play(kafu.Table(ID), ["random", "sensible"], 1).game()
    assert kafu.verify(game).status == "verified"
    assert kafu.odds_of(ID).hands.any == 0
    assert main(["simulate", ID, "--seed", "1"]) == 0
    assert capsys.readouterr().out.strip() == text().strip()


def test_second_registration_is_refused() -> None:
    with pytest.raises(ValueError, match=ID):
        register(BAKAHANA)


def test_unregistered_ruleset_is_unsupported() -> None:
    with pytest.raises(Unsupported):
        odds("daifugo")


# The archive ----------------------------------------------------------------------------------


def test_uploaded_game_is_stored_and_listed(record: Record) -> None:
    assert (record.status, record.profile, record.text) == ("verified", ID, text())
    listed = get_page("/games/", {"ruleset": ID})
    assert record.key in listed and "bakahana" in listed
    assert record.key not in get_page("/games/", {"ruleset": "koikoi"})
    assert record.key in get_page("/games/", {"profile": ID, "score_min": "0"})
    assert "ばか花" in get_page("/games/", lang="ja")
    (listed_record,) = get_json("records", {"ruleset": ID})["results"]
    assert (listed_record["key"], listed_record["ruleset"]) == (record.key, ID)
    assert get_json("records", {"ruleset": "koikoi"})["results"][0]["key"] != record.key


def test_pages_of_a_game_are_served(record: Record) -> None:
    lang = "ja"
    for path in ("", "moves/", "sheet", "sheet.csv", "1.5.png", "frame"):
        response = Client().get(f"/games/{record.key}/{path}", headers={"Accept-Language": lang})
        assert response.status_code == 200, path
    assert f"/rules/{ID}/" in get_page(f"/games/{record.key}/", lang=lang)
    get_page(f"/embed/{record.key}/", lang=lang)
    player = record.seats.get(number=1).player
    assert player is not None
    assert NAMES[lang] in get_page(f"/players/{player.key}/", lang=lang)
    get_page("/", lang=lang)


def test_game_is_replayed(record: Record) -> None:
    replay = json.loads(get_page(f"/games/{record.key}/replay.json"))
    assert (replay["rules"], replay["points"]["A"], replay["sets"]) == (ID, 20, [])
    assert len(replay["deals"]) == record.deals_played
    deal = next(deal for deal in replay["deals"] if deal["winner"])
    assert len([step for step in deal["steps"] if step["kind"] == "stock"]) == 20
    assert replay["final"] == [str(seat.final).replace("-", "−") for seat in record.seats.all()]
    assert get_json(f"records/{record.key}/replay")["ruleset"] == ID
    assert get_json(f"records/{record.key}/sheet")


@pytest.mark.parametrize("lang", NAMES)
def test_rules_page_is_made_from_the_description(lang: str) -> None:
    rules = get_page(f"/rules/{ID}/", lang=lang)
    assert NAMES[lang] in rules
    for word in ("10", "8", "264", "months=6", "<code>12</code>"):
        assert word in rules, word
    assert f"/odds/{ID}/" in rules
    assert NAMES[lang] in get_page("/rules/", lang=lang)
    assert Client().get(f"/rules/{ID}/nowhere/").status_code == 404


def test_cards_page_links_to_the_ruleset() -> None:
    assert get_page("/cards/").count(f'href="/rules/{ID}/"') == 48


def test_odds_page_shows_that_there_are_no_hand_yaku() -> None:
    odds_page = get_page(f"/odds/{ID}/")
    assert "no dealt-hand yaku" in odds_page
    assert "Four of a month on the field" in odds_page
    assert get_json(f"odds/{ID}")["hand"]["any"]["count"] == 0
    assert "no dealt-hand yaku" not in get_page("/odds/koikoi/")


def test_statistics_have_only_its_figures(record: Record) -> None:
    html = get_page(f"/statistics/{ID}/")
    figures = {id for id, figure in FIGURES.items() if ID in figure.rulesets}
    assert figures == set(FIGURES) - LACKING
    for id in ("seats", "scores", "cards", "ends"):
        assert f'id="{id}"' in html
        query = {"ruleset": ID, "option": "months=6"}
        assert get_json(f"statistics/{id}", query)["games"] == 1
    for id in LACKING:
        assert f'id="{id}"' not in html
        response = Client().get(f"/api/v1/statistics/{id}", {"ruleset": ID})
        assert response.status_code == 400
    assert f"/statistics/{ID}/" in get_page("/statistics/")
    listed = {figure["id"]: figure["rulesets"] for figure in get_json("statistics")["statistics"]}
    assert ID in listed["seats"] and ID not in listed["decisions"]


def test_players_are_compared_in_the_ruleset(record: Record) -> None:
    names = [seat.player.name for seat in record.seats.all() if seat.player]
    player, opponent = names[:2]
    assert get_json("statistics/compare", {"ruleset": ID, "player": player})["games"] == 1
    versus = get_json("statistics/versus", {"ruleset": ID, "player": player, "opponent": opponent})
    assert versus["n"] == 1
    players = get_json("statistics/players", {"ruleset": ID, "games_min": "1"})
    assert {row["player"] for row in players["rows"]} == {player, opponent}


def test_api_document_names_the_ruleset(record: Record) -> None:
    (name,) = (name for name in get_json("names")["rulesets"] if name["id"] == ID)
    assert (name["ja"], name["romaji"]) == ("ばか花", "bakahana")
    assert ID in get_json("kafu.schema.json")["$defs"]["rules"]["enum"]
    document = get_json("schema", {"format": "json"})
    assert ID in document["components"]["schemas"]["RulesetEnum"]["enum"]
    parameters = document["paths"]["/api/v1/statistics/seats"]["get"]["parameters"]
    (ruleset,) = (parameter for parameter in parameters if parameter["name"] == "ruleset")
    assert ID in ruleset["schema"]["enum"]
    (profile,) = (parameter for parameter in parameters if parameter["name"] == "profile")
    assert ID in profile["schema"]["enum"]


def test_api_verifies_a_game(db: None) -> None:
    response = Client().post("/api/v1/verify", text(), content_type="text/x-kafu")
    assert response.status_code == 200
    assert ID in response.content.decode()


def test_export_has_the_game(record: Record) -> None:
    response: Any = Client().get("/api/v1/records", {"format": "ndjson", "ruleset": ID})
    (line,) = response.getvalue().decode().splitlines()
    assert json.loads(line)["text"] == text()


def test_dump_has_the_game(record: Record, tmp_path: Path, settings: LazySettings) -> None:
    settings.STORAGES = stored_in(tmp_path, "dumps")
    dump = dump_job.make(month_of(timezone.now()))
    query = "SELECT count(*) FROM 'games.parquet' WHERE ruleset = 'bakahana'"
    with notebook.open_tables(tmp_path / dump.directory) as tables:
        assert tables.execute(query).fetchall() == [(1,)]


def test_admin_filters_by_the_ruleset(record: Record) -> None:
    listed = session(user("staff", staff=True)).get("/admin/records/record/", {"ruleset": ID})
    assert listed.status_code == 200 and record.key in listed.content.decode()
