"""Run a program on every case, and report differences from the expected verdicts.

    python run.py COMMAND...

COMMAND is called once per case, with the path of a record as its last argument, and prints the
verdict as JSON on its first line. The script needs only Python, not the library.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
_PLACE: Final = ("code", "line", "column", "deal", "turn")


def cases() -> list[Path]:
    """Return the paths of all records; a record's verdict has the same name with ``.json``."""
    return sorted(path for path in HERE.glob("*/*.kafu") if path.with_suffix(".json").exists())


def comparable(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return the compared part of a verdict: places without messages, unordered lists sorted."""
    error = verdict.get("error")
    return {
        "status": verdict["status"],
        "rules": verdict["rules"],
        "identity": verdict["identity"],
        "error": error and _place(error),
        "warnings": sorted(map(_place, verdict["warnings"]), key=str),
        "mismatches": sorted(verdict["mismatches"], key=str),
        "deals": [{**deal, "ledger": sorted(deal["ledger"], key=str)} for deal in verdict["deals"]],
        "final": verdict["final"],
    }


def _place(fault: Mapping[str, Any]) -> dict[str, Any]:
    return {key: fault[key] for key in _PLACE}


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[str]:
    """Yield the differences of two values, as ``deals/0/score/1: expected 84, found 72``."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        items: list[tuple[Any, Any, Any]] = [
            (key, expected.get(key), actual.get(key)) for key in {**expected, **actual}
        ]
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        items = [(i, *values) for i, values in enumerate(zip(expected, actual, strict=True))]
    else:
        if expected != actual:
            yield f"{path}: expected {json.dumps(expected)}, found {json.dumps(actual)}"
        return
    for key, expected_item, actual_item in items:
        yield from differences(expected_item, actual_item, f"{path}/{key}".lstrip("/"))


def main(command: Sequence[str]) -> int:
    """Run all cases. Return 0 if every verdict is as expected, else 1."""
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    for record in cases():
        expected = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
        result = subprocess.run([*command, str(record)], capture_output=True)
        try:
            actual = comparable(json.loads(result.stdout.splitlines()[0]))
        except (IndexError, KeyError, TypeError, ValueError) as error:
            messages = [f"no verdict: {error!r} {result.stderr.decode(errors='replace')[-500:]}"]
        else:
            messages = list(differences(comparable(expected), actual))
        if messages:
            failed += 1
            print(f"{record.relative_to(HERE)}: {expected['about']}")
            print(*(f"    {line}" for line in messages), sep="\n")
    print(f"{len(cases())} cases, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
