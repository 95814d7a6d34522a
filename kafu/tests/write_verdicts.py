"""Write the expected verdicts of the library's conformance cases again.

    PYTHONPATH=.. python -m write_verdicts

Run the program in this folder after a change of the rules, then read `git diff`: every changed
verdict must follow from a document. A new case is a record next to a JSON file that has ``about``
alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.run import comparable
from corpus import Case, library_cases


def expected_text(case: Case, verdict: Mapping[str, Any]) -> str:
    """Return the text of an expected verdict: one line per key, deal, warning or mismatch."""
    keys: Sequence[str] = ("about", "base")
    expected = {key: case.expected[key] for key in keys if key in case.expected}
    expected |= comparable(verdict)
    rows = []
    for key, value in expected.items():
        value_text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value)
            value_text = f"[\n{items}\n ]"
        rows.append(f' "{key}": {value_text}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """Write the verdict of every case."""
    for case in library_cases():
        text = expected_text(case, case.verification.verdict.to_json())
        case.path.with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
