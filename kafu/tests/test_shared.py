"""Missing shared cases are reported."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import shared


def lines() -> list[str]:
    """Return the lines printed at the end of a run."""
    written: list[str] = []
    shared.tell(SimpleNamespace(write_line=lambda line, **markup: written.append(line)))
    return written


def test_missing_set_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_ROOT", tmp_path)
    (line,) = lines()
    assert all(name in line for name in shared.SETS)
    (tmp_path / "conformance").mkdir()
    (line,) = lines()
    assert "conformance" not in line and "golden/odds.json" in line
    for name in shared.SETS:
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    assert lines() == []


def test_set_that_is_not_reported_is_refused() -> None:
    with pytest.raises(KeyError):
        shared.shared("data/elsewhere")
