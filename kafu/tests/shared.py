"""Cases in ``../shared``, which only a development machine has."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[3] / "shared"
#: The sets of files that tests use, with descriptions.
SETS: Final = {
    "cases/analysis": "games that statistics and the analysis were wrong about once",
    "cases/files": "files as people have them, which were read wrongly once",
    "cases/fresh-files": "files that went wrong in a fresh try, with what is expected of them",
    "cases/fresh-rules": "records that were judged wrongly by an earlier engine",
    "cases/reading": "records that were read wrongly once, with their right verdicts",
    "cases/sheets": "score sheets whose verdict was wrong once, with the right one",
    "conformance": "games and broken games with the verdicts of an independent implementation",
    "data/koikoi-ai": "logs of KoiKoi-AI",
    "data/open-hanafuda-ai": "logs of Open Hanafuda AI",
    "golden/odds.json": "exact counts of dealt-hand yaku",
    "rulings.md": "the readings of the rules, whose numbers the library's documents have",
}
#: Shared cases older than the judging of sheet months as a whole (S1), with their fault according
#: to the document: 205 card points are 二八 (特殊役 No.2), and a special yaku strikes out dealt
#: hands.
CONTRADICTED: Final = {
    "conformance/hachihachi/s002": "sheet-special-due",
    "conformance/hachihachi/ms003": "sheet-not-struck-out",
}


def shared(name: str) -> Path:
    """Return the folder of one of `SETS`, which may not exist. Raises KeyError for other names."""
    assert SETS[name]
    return _ROOT / name


def tell(reporter: Any) -> None:
    """Say at the end of a run of pytest which cases were not there to be run."""
    absent = [
        f"{name} ({description})" for name, description in SETS.items() if not shared(name).exists()
    ]
    if absent:
        reporter.write_line(
            f"NOT RUN, as ../shared is not beside the repository: {'; '.join(absent)}", yellow=True
        )
