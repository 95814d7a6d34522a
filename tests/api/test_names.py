"""GET names, GET problems."""

from __future__ import annotations

from api.problems import KINDS
from tests.api.contract import Api, problem


def test_names_of_rulesets_cards_and_yaku_are_listed(api: Api) -> None:
    response = api.get("names")
    body = response.json()
    assert "max-age" in response["Cache-Control"]
    assert [len(body[name]) for name in ("cards", "plants", "rulesets")] == [48, 12, 5]
    assert body["cards"][0] == {
        "letter": "A",
        "month": 1,
        "kind": "bright",
        "points": 20,
        "ja": "松に鶴",
        "romaji": "matsu ni tsuru",
        "en": "pine with crane",
    }
    yaku = {yaku["id"]: yaku for yaku in body["yaku"]}
    assert yaku["akatan"] == {
        "id": "akatan",
        "ja": "赤短",
        "romaji": "akatan",
        "en": "red poem ribbons",
    }
    assert "shobu" in {end["id"] for end in body["ends"]}


def test_card_is_found_by_its_names(api: Api) -> None:
    response = api.get("cards?names=松に鶴、pine ribbon 松のカス,QR?")
    assert (response.status_code, response.json()) == (200, {"letters": "ABCQR?"})
    assert api.get("cards?names=moon").json() == {"letters": "c"}
    assert api.get("cards?names=松のカス&lying=C").json() == {"letters": "D"}
    assert api.get("cards").json() == {"letters": ""}


def test_unknown_card_name_is_refused(api: Api) -> None:
    wrong = problem(api.get("cards?lang=ja&names=松に亀"), "invalid-parameter", 400)
    assert "松に亀 という札はありません" in wrong["detail"]
    assert "松に鶴" in wrong["detail"]
    problem(api.get("cards?names=" + "鶴" * 2001), "invalid-parameter", 400)


def test_kinds_of_problems_are_listed(api: Api) -> None:
    listed = api.get("problems").json()["problems"]
    assert {kind["code"]: kind["status"] for kind in listed} == {
        code: kind.status for code, kind in KINDS.items()
    }
