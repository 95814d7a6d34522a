"""Hand every case to a program, and say where its verdict is not the expected one.

    python run.py COMMAND...

COMMAND is called once a case, with the path of a record behind it, and prints the verdict as JSON
on its first line. This needs Python alone, and nothing of the library.
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
    """The records of all cases; the verdict of each lies beside it, named ``.json``."""
    return sorted(path for path in HERE.glob("*/*.kafu") if path.with_suffix(".json").exists())


def comparable(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared of a verdict: places without words, and lists that have no order sorted."""
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


def differences(expected: Any, found: Any, where: str = "") -> Iterator[str]:
    """Where two values differ, as ``deals/0/score/1: expected 84, found 72``."""
    if isinstance(expected, dict) and isinstance(found, dict):
        pairs: list[tuple[Any, Any, Any]] = [
            (key, expected.get(key), found.get(key)) for key in {**expected, **found}
        ]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = [(i, *both) for i, both in enumerate(zip(expected, found, strict=True))]
    else:
        if expected != found:
            yield f"{where}: expected {json.dumps(expected)}, found {json.dumps(found)}"
        return
    for key, one, other in pairs:
        yield from differences(one, other, f"{where}/{key}".lstrip("/"))


def main(command: Sequence[str]) -> int:
    """Run all cases; 0 where every verdict was the expected one, else 1."""
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    for record in cases():
        expected = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
        done = subprocess.run([*command, str(record)], capture_output=True)
        try:
            found = comparable(json.loads(done.stdout.splitlines()[0]))
        except (IndexError, KeyError, TypeError, ValueError) as error:
            said = [f"no verdict: {error!r} {done.stderr.decode(errors='replace')[-500:]}"]
        else:
            said = list(differences(comparable(expected), found))
        if said:
            failed += 1
            print(f"{record.relative_to(HERE)}: {expected['about']}")
            print(*(f"    {line}" for line in said), sep="\n")
    print(f"{len(cases())} cases, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
