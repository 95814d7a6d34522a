"""The replay's modules that know no page: positions, field, knowledge, progress, sums, chart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from records.pages.game.frame import slots_of
from records.pages.game.payments import amount

MODULES = Path(__file__).resolve().parents[3] / "records" / "static" / "records" / "replay"
HERE = "http://modules.test/"


@pytest.fixture(scope="module")
def bare(chromium: Browser) -> Iterator[Page]:
    """An empty page beside the modules."""
    page = chromium.new_page()
    page.route(
        f"{HERE}**/*.js",
        lambda route: route.fulfill(
            path=MODULES.parent / route.request.url.removeprefix(HERE),
            content_type="text/javascript",
        ),
    )
    page.route(HERE, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(HERE)
    yield page
    page.close()


def run(page: Page, module: str, expression: str) -> Any:
    """The value of an expression; ``m`` is the module, of the replay unless a folder is named."""
    path = module if "/" in module else f"replay/{module}"
    return page.evaluate(
        f'async () => {{ const m = await import("/{path}"); return {expression}; }}'
    )


def test_a_card_keeps_its_place_on_the_field(bare: Page) -> None:
    assert run(bare, "field.js", 'm.place(["A", "E", "I"], "AI")') == ["A", "", "I"]
    assert run(bare, "field.js", 'm.place(["A", "", "I"], "AIM")') == ["A", "M", "I"]
    assert run(bare, "field.js", 'm.slotsOf(["AE", "E", "EI"])')[2] == ["I", "E"]
    assert run(bare, "field.js", 'm.slotsOf(["??"])') == [["?", "?"]]
    fields = ["AEIM", "AIM", "IM?", "I??", "IA?N", "", "EQ"]
    drawn = [slots_of(fields[:count]) for count in range(1, len(fields) + 1)]
    assert run(bare, "field.js", f"m.slotsOf({fields})") == drawn


def test_costly_choices_of_a_step_are_one_mark(bare: Page) -> None:
    """Two hands that were not declared: both are noted where play began."""
    part = """(() => {
        const part = document.createElement("table");
        for (const [at, text] of [["1.0", "A"], ["1.0", "B"], ["1.4", "C"]]) {
            const row = part.appendChild(document.createElement("tr"));
            Object.assign(row.dataset, { mark: text, markAt: at });
        }
        return part;
    })()"""
    found = run(bare, "analysis/analysis.js", f"m.costlyIn({part})")
    assert found == [{"at": "1.0", "text": "A · B"}, {"at": "1.4", "text": "C"}]


STEPS = """(() => {
    const step = (kind, turn, seat) => ({ kind, turn, seat });
    const deal = { steps: [step("deal", 0, null), step("hand", 1, 1), step("stock", 1, 1),
        step("hand", 2, 2), step("stock", 2, 2), step("say", 2, 2), step("end", 2, 2)] };
    const course = m.courseOf([deal, { steps: [step("deal", 0, null)] }]);
    return %s;
})()"""


def test_turns_are_steps_of_one_seat(bare: Page) -> None:
    assert run(bare, "position.js", STEPS % "course") == {
        "counts": [7, 1],
        "starts": [0, 7],
        "total": 8,
        "turns": [[0, 2, 6], [0]],
    }
    for way, step, due in (
        ("nextTurn", 0, "1.2"),
        ("nextTurn", 1, "1.2"),
        ("nextTurn", 2, "1.6"),
        ("nextTurn", 6, "2.0"),
        ("previousTurn", 6, "1.2"),
        ("previousTurn", 1, "1.0"),
        ("previousTurn", 0, "1.0"),
    ):
        going = f'm.format(m.ways["{way}"](course, {{ deal: 1, step: {step} }}))'
        assert run(bare, "position.js", STEPS % going) == due
    back = "m.format(m.ways.previousTurn(course, { deal: 2, step: 0 }))"
    assert run(bare, "position.js", STEPS % back) == "1.6"


def test_addresses(bare: Page) -> None:
    for text, due in (
        ("#3.14", {"deal": 3, "step": 14}),
        ("3", {"deal": 3, "step": 0}),
        ("#main", None),
        ("-1.2", None),
        ("3.14.1", None),
        ("", None),
    ):
        assert run(bare, "position.js", f'm.parse("{text}")') == due
    assert run(bare, "position.js", STEPS % "m.clamp(course, { deal: 9, step: 9 })") == {
        "deal": 2,
        "step": 0,
    }
    there = "m.fromIndex(course, m.toIndex(course, { deal: 2, step: 0 }))"
    assert run(bare, "position.js", STEPS % there) == {"deal": 2, "step": 0}


def test_moments_and_the_ways_to_them(bare: Page) -> None:
    """A yaku made, one shown, a decision, the fault at the end."""
    game = """(() => {
        const step = (kind, ...yaku) => ({ kind, yaku: [yaku.map((id) => ({ id, value: 1 }))] });
        const steps = [step("deal"), step("show"), step("hand", "tane"), step("say", "tane"),
            step("stock", "tane", "tan"), step("end", "tane", "tan")];
        const data = { deals: [{ steps }], error: {} };
        const course = { counts: [6], starts: [0], total: 6 };
        return %s;
    })()"""
    assert run(bare, "moments.js", game % "m.stopsOf(data, course)") == {
        "yaku": [1, 2, 4],
        "decision": [3],
        "costly": [],
        "fault": [5],
    }
    assert run(bare, "moments.js", game % "m.made(steps, 4)") == [
        {"id": "tan", "value": 1, "seat": 1}
    ]
    sets = '[{ id: "tan", cards: "BFJ" }, { id: "tane", cards: "EI" }]'
    assert run(bare, "moments.js", f'm.cardsOf({sets}, [{{ id: "tan" }}], "EFAJ")') == "FJ"
    for way, step, due in (("nextYaku", 2, 4), ("nextYaku", 4, 4), ("previousYaku", 2, 1)):
        course = "{ counts: [6], starts: [0], total: 6, stops: { yaku: [1, 2, 4] } }"
        going = f'm.ways["{way}"]({course}, {{ deal: 1, step: {step} }}).step'
        assert run(bare, "position.js", going) == due


def test_what_a_seat_knows(bare: Page) -> None:
    step = '{ hands: ["ABC", "DE?"], known: ["B", ""] }'
    assert run(bare, "knowledge.js", f"m.handsSeen({step}, 0)") == ["ABC", "DE?"]
    assert run(bare, "knowledge.js", f"m.handsSeen({step}, 2)") == ["#B#", "DE?"]
    assert run(bare, "knowledge.js", f"m.handsSeen({step}, 1)") == ["ABC", "###"]


def test_progress(bare: Page) -> None:
    goals = """[
        { id: "akatan", cards: "BFJ", need: 3, value: 6, must: "", over: [] },
        { id: "ameshiko", cards: "AIcso", need: 4, value: 7, must: "o", over: [] },
        { id: "tan", cards: "BFJNRV", need: 5, value: 1, must: "", over: [] },
    ]"""
    near = "m.near({}, {}, '{}', '{}').map((one) => `${{one.goal.id}} ${{one.have}}/${{one.need}}`)"

    def found(made: str, own: str, others: str) -> Any:
        return run(bare, "progress.js", near.format(goals, made, own, others))

    assert found("[]", "BF", "") == ["akatan 2/3"]
    assert found("[]", "BF", "J") == []
    assert found("[]", "BFN", "J") == ["tan 3/5"]
    assert found("['akatan']", "BFJ", "") == ["tan 3/5"]
    assert found("[]", "AIc", "") == ["ameshiko 3/4"]
    assert found("[]", "AIc", "o") == []
    assert found("[]", "", "") == []
    stands = run(bare, "progress.js", f"m.standing({goals}[1], 'AIcs', '')")
    assert (stands["left"], stands["open"]) == (1, True)


def test_sums_are_those_of_the_pages(bare: Page) -> None:
    for points in (0, 5, -7, 12, 90, -90, 1201):
        assert run(bare, "sums.js", f'm.sum({points}, ["k", ""])') == amount(
            points, units=("k", "")
        )
    assert run(bare, "sums.js", "m.sum(-3, null)") == "−3"
    assert run(bare, "sums.js", 'm.cardPoints("AB?", { A: 20, B: 5 })') == 25
    assert run(bare, "sums.js", 'm.cardPoints("AB", null)') is None


def test_the_charts_labels_keep_apart(bare: Page) -> None:
    assert run(bare, "chart.js", "m.apart([50, 50, 52], 15, 0, 100)") == [50, 65, 80]
    assert run(bare, "chart.js", "m.apart([99, 98], 15, 0, 100)") == [100, 85]
    deals = "[{ before: [0, 0], totals: [3, -3] }, { before: [3, -3], totals: [1, -1] }]"
    assert run(bare, "chart.js", f"m.lines({deals}, 2)") == [[0, 3, 1], [0, -3, -1]]


def test_keys(bare: Page) -> None:
    keys = {
        "ArrowLeft": "previous",
        " ": "play",
        "+": "faster",
        "?": "help",
        "PageUp": "previousDeal",
        "y": "nextYaku",
        "d": "nextDecision",
        "c": "nextCostly",
        "f": "nextFault",
        "x": None,
    }
    for key, due in keys.items():
        assert run(bare, "keys.js", f'm.askedBy({{ key: "{key}" }})') == due
    assert run(bare, "keys.js", 'm.askedBy({ key: "ArrowLeft", shiftKey: true })') == "previousTurn"
    assert run(bare, "keys.js", 'm.askedBy({ key: "Y", shiftKey: true })') == "previousYaku"
    assert run(bare, "keys.js", 'm.askedBy({ key: "ArrowLeft", ctrlKey: true })') is None
