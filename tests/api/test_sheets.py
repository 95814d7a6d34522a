"""POST sheets: a score sheet written through the API, as by its page."""

from __future__ import annotations

from typing import Any

import pytest

from kafu import cards
from lengths import part
from records.models import Record, Upload
from tests.api.contract import Api, is_japanese, problem

pytestmark = pytest.mark.django_db
JSON = "application/json"
NEW = {"ruleset": "hachihachi", "players": ["Aya", "Ben", "Chie"]}
JANUARY = {
    "ba": "large",
    "lines": [{"seat": 3, "label": "sanbon"}, {"seat": 2, "label": "akatan"}],
}


@pytest.fixture
def tell(api: Api) -> Any:
    """Return a function that sends fields and returns the response's object."""

    def send(**fields: Any) -> dict[str, Any]:
        response = api.post("sheets", {**NEW, **fields}, JSON)
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        return answer

    return send


def test_empty_sheet_offers_the_payments_of_january(tell: Any) -> None:
    answer = tell()
    form = answer["form"]
    assert (form["number"], form["month"], form["dealers"]) == (1, 1, [1, 2, 3])
    assert [grade["id"] for grade in form["grades"]][:2] == ["small", "large"]
    assert form["stone"] and form["points"]
    akatan = next(offer for offer in form["offers"] if offer["label"] == "akatan")
    assert (akatan["gains"], akatan["gains_words"]) == (["+14k"], ["+14k"])
    assert akatan["name"] == "akatan (red poem ribbons)" and akatan["payers"] == [1, 2, 3]
    assert (answer["status"], answer["faults"], answer["settlement"]) == ("unfinished", [], [])
    assert not Record.objects.exists() and not Upload.objects.exists()


def test_month_is_added_up(tell: Any) -> None:
    """Lines, sums, stone and next dealer; a form for the next month follows."""
    answer = tell(months=[JANUARY, {}], tags={"Date": "2026-01-03", "Event": ""})
    month = answer["months"][0]
    assert [line["amounts_words"] for line in month["lines"]] == [
        ["−4k", "−4k", "+8k"],
        ["−14k", "+28k", "−14k"],
    ]
    assert [line["of"] for line in month["lines"]] == [[0], [1]]
    assert (month["stone"], month["done"], month["score"]) == (2, True, [-216, 288, -72])
    assert cards.RED_POEMS & ~cards.mask(month["cards"]["captured"][1]) == 0
    assert list(map(len, month["cards"]["hands"])) == [7, 7, 7]
    assert answer["months"][1]["cards"] is None
    assert (answer["due"], answer["form"]["number"], answer["form"]["dealers"]) == (2, 2, [2])
    assert '[Date "2026-01-03"]' in answer["kafu"] and "Event" not in answer["kafu"]
    assert answer["settlement"][0]["sums_words"] == ["−18k", "+24k", "−6k"]
    assert not answer["may_end"] and answer["status"] == "unfinished"


def test_fault_is_described_in_words(api: Api, tell: Any) -> None:
    wrong = {"lines": [{"seat": 2, "label": "akatan", "gain": "15k"}]}
    (fault,) = tell(months=[wrong, {}])["faults"]
    assert (fault["month"], fault["field"], fault["code"]) == (1, "line.0", "sheet-value")
    assert "Ben gets +15k" in fault["message"] and "+14k" in fault["expected"]
    answer = api.post("sheets?lang=ja", {**NEW, "months": [wrong]}, JSON).json()
    assert "Ben" in answer["faults"][0]["message"] and "赤短" in answer["faults"][0]["message"]
    assert answer["months"][0]["lines"][0]["name"] == "赤短"


def test_contradicting_lines_are_faults(tell: Any) -> None:
    offers = tell(months=[{"lines": [{"seat": 1, "label": "goko"}]}])["form"]["offers"]
    shiko = next(offer for offer in offers if offer["label"] == "shiko")
    assert {payer["seat"] for payer in shiko["barred"]} == {1, 2, 3}
    assert shiko["barred"][0] == {
        "seat": 1,
        "label": "goko",
        "name": "gokō (five brights)",
        "by": 1,
    }


@pytest.mark.parametrize(
    ("rules", "count"),
    [("koikoi", 2), ("hanaawase", 3), ("ten-five-one", 5), ("hachihachi-bga", 6)],
)
def test_offered_payments_are_valid_in_every_ruleset(api: Api, rules: str, count: int) -> None:
    """Each twelfth payment offered for January, in `make test-long` each, makes a valid sheet."""
    players = [f"P{i}" for i in range(count)]
    empty = api.post("sheets", {"ruleset": rules, "players": players}, JSON).json()
    for offer in part(empty["form"]["offers"], one_of=12):
        line = {"seat": offer["seats"][0], "label": offer["label"]}
        form = {"ruleset": rules, "players": players, "months": [{"lines": [line]}]}
        answer = api.post("sheets", form, JSON)
        assert answer.status_code == 200, answer.content
        assert f" {offer['label']} " in answer.json()["kafu"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"ruleset": "nosuch"}, "ruleset"),
        ({"players": ["A", "B"]}, "players"),
        ({"options": {"x": "y"}}, "options"),
        ({"tags": {"Sheet": "2"}}, "tags"),
        ({"months": [{"lines": [{"seat": 1, "label": "nosuch"}]}]}, "months"),
        ({"months": [{"dealer": 5}]}, "months"),
        ({"months": [{"out": [2]}]}, "months"),
        ({"months": [{"lines": [{"seat": 1, "label": "akatan", "payer": 1}]}]}, "months"),
        ({"months": [{}] * 65}, "months"),
        (
            {"months": [{"lines": [{"seat": 1, "label": "akatan"}] * 41}]},
            "no more than 40 elements",
        ),
        ({"at": 2}, "at"),
    ],
)
def test_invalid_field_is_refused(api: Api, fields: dict[str, Any], field: str) -> None:
    body = problem(api.post("sheets", {**NEW, **fields}, JSON), "invalid-parameter", 400)
    assert field in str(body)
    japanese = problem(api.post("sheets?lang=ja", {**NEW, **fields}, JSON), status=400)
    assert is_japanese(japanese["detail"]), japanese
