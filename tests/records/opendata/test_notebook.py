"""Every cell of the notebook compared with plain Python over the verdicts."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules.verdict import DealResult
from records.models import Record
from records.opendata.notebook import CELLS, four_of_a_month
from turns import spoken

pytestmark = pytest.mark.django_db
Z = 1.959964


@pytest.fixture
def cells(directory: Path) -> dict[str, dict[str, Any]]:
    """Return the stored cells of the dump by id, with rows as dicts."""
    stored_cells = json.loads((directory / "notebook.json").read_text(encoding="utf-8"))
    for cell in stored_cells:
        cell["rows"] = [dict(zip(cell["columns"], row, strict=True)) for row in cell["rows"]]
    return {cell["id"]: cell for cell in stored_cells}


def wilson(won: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate."""
    middle, half = won + Z * Z / 2, Z * sqrt(won * (n - won) / n + Z * Z / 4)
    return max(0, (middle - half) / (n + Z * Z)), min(1, (middle + half) / (n + Z * Z))


def check(row: dict[str, Any], won: int, n: int) -> None:
    """Check the rate of a row and its bounds."""
    assert row["n"] == n
    assert row["rate"] == pytest.approx(won / n, abs=6e-5)
    assert (row["low"], row["high"]) == pytest.approx(wilson(won, n), abs=6e-5)


def counted() -> list[Record]:
    """Return the games that the cells count."""
    return list(Record.objects.filter(visibility=3).exclude(status="illegal"))


def deals_of(record: Record) -> list[DealResult]:
    """Return the deals of a game by the verdict on its text."""
    return verify(read(record.text)).verdict.deals


def test_files_have_the_rows_of_the_cells(cells: dict[str, Any], directory: Path) -> None:
    assert list(cells) == [cell.id for cell in CELLS]
    notebook = (directory / "notebook.md").read_text(encoding="utf-8")
    for cell in CELLS:
        assert cells[cell.id]["sql"] == cell.sql()
        assert cell.sql() in notebook
        assert cells[cell.id]["rows"]


def test_notebook_run_again_has_the_stored_rows(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cells follow nbformat 4.5, and each computes its stored rows."""
    document = json.loads((directory / "notebook.ipynb").read_text(encoding="utf-8"))
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in document["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch("[a-zA-Z0-9-_]{1,64}", id) for id in ids)
    stored_cells = {
        c["id"]: c for c in json.loads((directory / "notebook.json").read_text("utf-8"))
    }
    monkeypatch.chdir(directory)
    names: dict[str, Any] = {}
    first, *questions, replay = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    exec("".join(first["source"]), names)
    assert [cell["id"] for cell in questions] == list(stored_cells)
    for cell in questions:
        result = eval("".join(cell["source"]), names)
        expected = stored_cells[cell["id"]]
        assert result.columns == expected["columns"]
        rows = json.loads(json.dumps(result.fetchall(), default=float))
        assert rows == expected["rows"]
        (answered,) = cell["outputs"]
        shown = "".join(answered["data"]["text/markdown"]).splitlines()
        assert len(shown) == len(rows) + 2
    exec("".join(replay["source"]), names)
    assert capsys.readouterr().out.startswith(f"verified {names['turns']} turns")


def test_dealer_cell_equals_a_plain_computation(cells: dict[str, Any]) -> None:
    won: dict[str, list[bool]] = defaultdict(list)
    scores: dict[str, list[int]] = defaultdict(list)
    for record in counted():
        for deal in deals_of(record):
            if deal.winner is not None:
                won[record.ruleset].append(deal.winner == deal.dealer)
                scores[record.ruleset].append(deal.score[deal.dealer - 1])
    rows = cells["dealer"]["rows"]
    assert [row["ruleset"] for row in rows] == sorted(won)
    for row in rows:
        results = won[row["ruleset"]]
        assert row["won"] == sum(results)
        check(row, sum(results), len(results))
        mean = sum(scores[row["ruleset"]]) / len(results)
        assert row["mean_score"] == pytest.approx(mean, abs=6e-3)


def test_koikoi_cell_equals_a_plain_computation(cells: dict[str, Any]) -> None:
    cases: dict[tuple[int, str], list[tuple[bool, int]]] = defaultdict(list)
    for record in counted():
        game = read(record.text).game
        if game is None or record.ruleset != "koikoi":
            continue
        for deal, month in zip(deals_of(record), game.months, strict=False):
            seat = deal.dealer
            hands = dict.fromkeys((1, 2), 8)
            for turn in (turn for turn in month.turns if turn.keyword == "turn"):
                hands[seat] -= 1
                margin = deal.score[seat - 1] - deal.score[2 - seat]
                for word in spoken(turn):
                    cases[hands[seat], word].append((deal.winner == seat, margin))
                seat = 3 - seat  # the dealer begins, and two play in turn
    rows = cells["koikoi"]["rows"]
    assert {(row["cards_left"], row["word"]) for row in rows} == set(cases)
    for row in rows:
        decisions = cases[row["cards_left"], row["word"]]
        check(row, sum(won for won, _ in decisions), len(decisions))
        mean = sum(margin for _, margin in decisions) / len(decisions)
        assert row["mean_margin"] == pytest.approx(mean, abs=6e-3)
        assert (row["mean_gain"] == 0) == (row["word"] == "shobu")


def test_four_of_a_month_cell_equals_a_plain_computation(cells: dict[str, Any]) -> None:
    dealt: dict[str, list[bool]] = defaultdict(list)
    for record in counted():
        game = read(record.text).game
        assert game is not None
        for _, month in zip(deals_of(record), game.months, strict=False):
            for hand in month.hands.values():
                if "?" not in hand:
                    held = [cards.INDEX[letter] // 4 for letter in hand]
                    dealt[record.ruleset].append(
                        any(held.count(number) == 4 for number in range(12))
                    )
    rows = cells["teshi"]["rows"]
    assert [row["ruleset"] for row in rows] == sorted(dealt)
    for row in rows:
        results = dealt[row["ruleset"]]
        assert row["with_four"] == sum(results)
        check(row, sum(results), len(results))
        size = 8 if row["ruleset"] == "koikoi" else 7
        assert row["exact"] == pytest.approx(float(four_of_a_month(size)), abs=1e-6)


def test_exact_odds_equal_a_count_of_all_hands() -> None:
    hands = [hand[0] % 4 == 0 and hand[3] == hand[0] + 3 for hand in combinations(range(48), 4)]
    assert four_of_a_month(4) == pytest.approx(sum(hands) / comb(48, 4))
