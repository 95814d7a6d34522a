"""The README of a dump."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafu.rules.rulesets import RULESETS

README: Final = "README.md"
_HEAD: Final = """\
# HanaArchive: open data, {month}

All hanafuda games of this archive that were public {until} ({games} games): not only those that
came in that month. Each dump is whole by itself; a later one replaces it.

| file | what |
|---|---|
| `{texts}` | every game as Kafu text, Zstandard |
| `games.parquet` and {others} more `.parquet` | the games as tables, described below |
| `notebook.md`, `notebook.ipynb`, `notebook.json` | three questions in SQL, a game replayed |
| `manifest.json` | this page for programs, with the size and SHA-256 of every file |
| `SHA256SUMS` | `sha256sum -c SHA256SUMS` |

## Licence

{licence[name]} ({licence[url]}). {licence[text]}

## What to know

- `games.parquet` and the text file have games of every verdict, in the same order (`number`): look
  at `status`. The other tables have no rows of an illegal game, and none of a game in which no deal
  ended: `deals` is null for these{missing}. Results are recomputed by the rules, whatever a record
  claims.
- Tables are joined by `game`, those of deals by `game` and `deal`.
- A game that was withdrawn, made private or unlisted before {made} is not in it.
- Players who asked for a pseudonym have it here. Those who are not to be named in statistics are
  called `player-…`, everywhere the same. `identity` is that of the text as it stands here.
- Sums are in the small unit: mon in {mon}, points else (12 to a kan).
- Cards are letters, A to Z and a to v, four to a month; `?` is one that nobody recorded. A set of
  cards that is a number has bit 0 for A, bit 1 for B, and so on.

```sql
SELECT ruleset, count(*) FROM 'games.parquet' GROUP BY ruleset;
```

## Tables
"""


def format_readme(manifest: Mapping[str, Any], texts: str) -> str:
    """Return the README of a dump: its contents and licence."""
    until = f"at the end of {manifest['month']}" if manifest["whole"] else f"on {manifest['made']}"
    mon = " and ".join(id for id, rules in RULESETS.items() if rules.mon)
    missing = manifest["games_without_rows"]
    head = _HEAD.format(
        **manifest,
        until=until,
        texts=texts,
        games=manifest["counts"]["games"],
        mon=mon,
        others=len(manifest["tables"]) - 1,
        missing=f", and for {missing} that changed while the dump was made" if missing else "",
    )
    parts = [head]
    for name, table in manifest["tables"].items():
        count = manifest["counts"][name]
        parts.append(f"\n### {name}.parquet, {count} rows\n\nA row is {table['row']}.\n\n")
        parts.append("| column | type | what |\n|---|---|---|\n")
        for column in table["columns"]:
            parts.append(f"| `{column['name']}` | `{column['type']}` | {column['meaning']} |\n")
    return "".join(parts)
