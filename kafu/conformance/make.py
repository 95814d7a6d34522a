"""Write the broken records, and the verdict of every record.

    python -m conformance.make

Check `git diff` afterwards: a changed verdict means a change of the rules. The records of legal
games in the folders stay unchanged; `tests/finding_cases.py` found most of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from conformance import (
    broken_deals,
    broken_hachihachi_sheets,
    broken_hanaawase_sheets,
    broken_koikoi_sheets,
    broken_notation,
    broken_play,
    broken_sheet_months,
    broken_table_sheets,
    options_and_claims,
)
from conformance.edits import EditedRecord
from conformance.run import HERE, cases, comparable
from kafu.judging.verify import verify
from kafu.notation.stream.cut import cut
from kafu.notation.stream.pieces import read_kafu

EDITED: Final[tuple[EditedRecord, ...]] = tuple(
    record
    for module in (
        broken_deals,
        broken_play,
        options_and_claims,
        broken_hachihachi_sheets,
        broken_sheet_months,
        broken_koikoi_sheets,
        broken_hanaawase_sheets,
        broken_table_sheets,
        broken_notation,
    )
    for record in module.CASES
)


def judge(record: Path) -> dict[str, Any]:
    """Return the compared part of the library's verdict on the only game of a file."""
    with record.open("rb") as stream:
        (piece,) = cut(stream)
    verdict = verify(read_kafu(piece), number=piece.number, line=piece.line).verdict
    return comparable(verdict.to_json())


def text(about: str, verdict: dict[str, Any]) -> str:
    """Return the text of an expected verdict: one line per key, deal, warning or mismatch."""
    rows = []
    for key, value in {"about": about, **verdict}.items():
        value_text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value)
            value_text = f"[\n{items}\n ]"
        rows.append(f' "{key}": {value_text}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """Write all edited records, and all verdicts."""
    descriptions = {}
    for edited in EDITED:
        edited.record.parent.mkdir(exist_ok=True)
        edited.record.write_bytes(edited.content())
        descriptions[edited.record] = edited.about
    for record in sorted({*cases(), *descriptions}):
        path = record.with_suffix(".json")
        about = descriptions.get(record) or json.loads(path.read_text(encoding="utf-8"))["about"]
        path.write_text(text(about, judge(record)), encoding="utf-8")
    print(f"{len(cases())} cases, {sum(path.stat().st_size for path in HERE.glob('*/*'))} bytes")


if __name__ == "__main__":
    main()
