"""GET names, GET problems."""

from __future__ import annotations

from api.problems import KINDS
from tests.api.contract import Api


def test_names_of_everything(api: Api) -> None:
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
    yaku = {one["id"]: one for one in body["yaku"]}
    assert yaku["akatan"] == {
        "id": "akatan",
        "ja": "赤短",
        "romaji": "akatan",
        "en": "red poem slips",
    }
    assert "shobu" in {one["id"] for one in body["ends"]}


def test_kinds_of_problems(api: Api) -> None:
    listed = api.get("problems").json()["problems"]
    assert {kind["code"]: kind["status"] for kind in listed} == {
        code: kind.status for code, kind in KINDS.items()
    }
