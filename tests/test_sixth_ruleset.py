"""A new ruleset needs a machine, payments and a description (`tests.bakahana`), nothing else.

The module registers the ruleset for its tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.plumbing import _load_enum_name_overrides

import kafu
from kafu.analysis.report import analyse_choices
from kafu.analysis.search import Effort
from kafu.cli.main import main
from kafu.editing.sheet_forms import MonthWanted, write_sheet
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.odds.exact import odds
from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS, Unsupported, register
from kafu.simulation.simulate import simulate
from records.models import Record
from records.statistics.registry import FIGURES
from tests.bakahana import BAKAHANA, registered
from tests.records.makers import ingest

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


def test_analysis_without_fitted_weights_compares_all_cards() -> None:
    effort = Effort(first=4, most=8, exact=0, games=2)
    choice = next(analyse_choices(simulate(ID, seed=1), effort=effort))
    assert not choice["reason"] and len(choice["options"]) > 1


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


def test_sheet_of_a_game_is_verified_with_the_same_result() -> None:
    for seed in range(1, 4):
        game = simulate(ID, seed=seed)
        verdict = kafu.verify(kafu.sheet_of(game))
        assert (verdict.status, verdict.final) == ("verified", kafu.verify(game).final)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("pay points 1 +133 2 -133", "sheet-points"),
        ("pay points 1 +20 2 -10", "sheet-line-not-zero"),
        ("pay points 1 +20 2 -20; pay points 1 +20 2 -20", "sheet-points-twice"),
        ("void points 1 +20 2 -20", "sheet-void"),
        ("pay akatan 1 +20 2 -20", "sheet-label-unknown"),
        ("pay month 1 +133 2 -133", "sheet-month-sum"),
        ("pay month 1 +20 2 -20; pay points 1 +20 2 -20", "sheet-month-alone"),
        ("pay points 1 +20 2 -20; stone 2", "sheet-next-dealer"),
    ],
)
def test_month_that_the_table_does_not_permit_is_illegal(change: str, code: str) -> None:
    head = '[Kafu "1"]\n[Rules "bakahana"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n[Sheet "1"]\n'
    for month, expected in (("pay points 1 +20 2 -20", None), (change, code)):
        lines = month.replace("; ", "\n")
        reading = read(f'{head}[Termination "unfinished"]\n\nmonth 1 dealer 2\n{lines}\n')
        error = verify(reading).verdict.error
        assert (error and error.code.id) == expected


def test_sheet_is_written_in_the_form() -> None:
    months = [
        MonthWanted(dealer=2, captured=("150", "")),
        MonthWanted(),
        MonthWanted(sums=("", "+12")),
    ]
    sheet = write_sheet(ID, ["Aya", "Ben"], {}, months)
    assert not sheet.faults and sheet.verification.verdict.status == "unfinished"
    assert [month.score for month in sheet.months] == [(18, -18), (0, 0), (-12, 12)]
    assert [month.month.dealer for month in sheet.months] == [2, 1, 1]
    offered = sheet.offered
    assert (offered.offers, offered.points, offered.whole) == ((), True, 264)
    assert (sheet.due, sheet.next_month, sheet.is_over) == (2, 4, False)


def test_second_registration_is_refused() -> None:
    with pytest.raises(ValueError, match=ID):
        register(BAKAHANA)


def test_unregistered_ruleset_is_unsupported() -> None:
    with pytest.raises(Unsupported):
        odds("daifugo")


# The archive ----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("lang", NAMES)
def test_rules_page_is_made_from_the_description(lang: str) -> None:
    rules = get_page(f"/rules/{ID}/", lang=lang)
    assert NAMES[lang] in rules
    for word in ("10", "8", "264", 'id="payments"'):
        assert word in rules, word
    options = get_page(f"/rules/{ID}/options/", lang=lang)
    assert ("半年" if lang == "ja" else "half a year") in options
    assert NAMES[lang] in get_page(f"/rules/{ID}/poster/", lang=lang)
    points = YAKU["points"]
    assert (points.ja if lang == "ja" else points.romaji) in rules.split('id="payments"')[1]
    assert f"/odds/{ID}/" in rules and f"ruleset={ID}" in rules
    assert NAMES[lang] in get_page("/rules/", lang=lang)
    assert Client().get(f"/rules/{ID}/nowhere/").status_code == 404


def test_score_sheet_is_written_and_shown(record: Record) -> None:
    assert f'value="{ID}"' in get_page("/sheets/new")
    form = {"ruleset": ID, "players": ["a", "b"], "months": [{"dealer": 1, "points": ["+9", ""]}]}
    response = Client().post("/api/v1/sheets", form, "application/json")
    assert response.status_code == 200 and response.json()["faults"] == []
    sheet = write(kafu.sheet_of(simulate(ID, seed=2)))
    ingest(sheet.encode())
    stored = Record.objects.get(ruleset=ID, sheet=True)
    assert stored.status == "verified"
    for path in ("", "sheet"):
        get_page(f"/games/{stored.key}/{path}")
    assert get_json("statistics/scores", {"ruleset": ID})["games"] == 2


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
