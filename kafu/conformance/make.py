"""Write the cases anew: broken records out of whole ones, and the verdict beside each record.

    python -m conformance.make

Look at what `git diff` then shows: a verdict that changed is a change of the rules. The records of
legal games lie in the folders and stay as they are; most were found by `tests/finding_cases.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from conformance import (
    broken_deals,
    broken_fuke,
    broken_months,
    broken_notation,
    broken_play,
    broken_sheet_months,
    broken_sheets,
    broken_tables,
    remarked,
)
from conformance.editing import Edited
from conformance.run import HERE, cases, comparable
from kafu.judging.verify import verify
from kafu.notation.stream.cut import cut
from kafu.notation.stream.pieces import read_kafu

EDITED: Final[tuple[Edited, ...]] = tuple(
    one
    for table in (
        *(broken_deals, broken_play, remarked),
        *(
            broken_sheets,
            broken_sheet_months,
            broken_months,
            broken_fuke,
            broken_tables,
            broken_notation,
        ),
    )
    for one in table.CASES
)


def judged(record: Path) -> dict[str, Any]:
    """The verdict of the library on the one game of a file, as far as it is compared."""
    with record.open("rb") as stream:
        (piece,) = cut(stream)
    verdict = verify(read_kafu(piece), number=piece.number, line=piece.line).verdict
    return comparable(verdict.to_json())


def text(about: str, verdict: dict[str, Any]) -> str:
    """The expected verdict as it is kept: a line a key, and one a deal, a warning or a mismatch."""
    rows = []
    for key, value in {"about": about, **verdict}.items():
        written = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value)
            written = f"[\n{items}\n ]"
        rows.append(f' "{key}": {written}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """Write all records that are edits of others, and all verdicts."""
    about = {}
    for one in EDITED:
        one.record.parent.mkdir(exist_ok=True)
        one.record.write_bytes(one.content())
        about[one.record] = one.about
    for record in sorted({*cases(), *about}):
        beside = record.with_suffix(".json")
        said = about.get(record) or json.loads(beside.read_text(encoding="utf-8"))["about"]
        beside.write_text(text(said, judged(record)), encoding="utf-8")
    print(f"{len(cases())} cases, {sum(path.stat().st_size for path in HERE.glob('*/*'))} bytes")


if __name__ == "__main__":
    main()
