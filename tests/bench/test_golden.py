"""The comparison of two files of figures."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bench.golden import compare, read_queries, write_queries

URL = "/api/v1/statistics/seats?ruleset=koikoi"


def response() -> dict[str, Any]:
    """Return the stored form of a response with two rows."""
    return {
        "status": 200,
        "n": 12,
        "notes": [],
        "columns": {"seat": "id", "name": "text", "won": "count"},
        "rows": [{"seat": "1", "name": "dealer", "won": 7}, {"seat": "2", "name": "", "won": 5}],
        "has_next": False,
    }


def test_written_file_equals_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figures.json.gz"
    write_queries(path, {URL: response()})
    assert compare(read_queries(path), {URL: response()}, shown=5) == 0
    assert "0 of 1 responses differ" in capsys.readouterr().out


def test_changed_value_is_named_with_its_row_and_column(
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = deepcopy(response())
    changed["rows"][1]["won"] = 6
    assert compare({URL: response()}, {URL: changed}, shown=5) == 1
    out = capsys.readouterr().out
    assert f"{URL}\n  won: 2: 5 → 6\n" in out
    assert "1 of 1 responses differ" in out


def test_missing_row_field_and_response_are_differences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = deepcopy(response())
    del changed["rows"][0]
    changed["n"] = 5
    assert compare({URL: response()}, {URL: changed, "/other": response()}, shown=5) == 1
    out = capsys.readouterr().out
    assert "  n: 12 → 5\n  row: only in old: 1\n" in out
    assert "/other\n  response: only in new\n" in out


def test_other_order_of_rows_is_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    changed = deepcopy(response())
    changed["rows"].reverse()
    assert compare({URL: response()}, {URL: changed}, shown=5) == 1
    assert "order of rows" in capsys.readouterr().out
