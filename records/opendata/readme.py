"""The README of a dump."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafu.rules.rulesets import RULESETS

_HEAD: Final = """\
# HanaArchive: open data, {month}

All hanafuda games of this archive that were public {until} ({games} games): not only those that
came in that month. Each dump is whole by itself; a later one replaces it.

| file | what |
|---|---|
| `{texts}` | every game as Kafu text, Zstandard |
| `games.parquet`, `deals.parquet`, `turns.parquet`, `yaku.parquet` | the same as tables, below |
| `notebook.md`, `notebook.ipynb`, `notebook.json` | three questions in SQL, and their answers |
| `manifest.json` | this page for programs, with the size and SHA-256 of every file |
| `SHA256SUMS` | `sha256sum -c SHA256SUMS` |

## Licence

{licence[name]} ({licence[url]}). {licence[text]}

## What to know

- Games of every verdict are in it, faulty ones too: look at `status`. What is counted is
  recomputed by the rules, whatever a record claims.
- A game that was withdrawn, made private or unlisted before {made} is not in it.
- Players who asked for a pseudonym have it here. Those who are not to be named in statistics are
  called `player-…`, everywhere the same. `identity` is that of the text as it stands here.
- Sums are in the small unit: mon in {mon}, points else (12 to a kan).
- Cards are letters, A to Z and a to v, four to a month; `?` is one that nobody recorded.

```sql
SELECT ruleset, count(*) FROM 'games.parquet' GROUP BY ruleset;
```

## Tables
"""


def readme(manifest: Mapping[str, Any], texts: str) -> str:
    """README.md of a dump: what is in it and how it may be used."""
    until = f"at the end of {manifest['month']}" if manifest["whole"] else f"on {manifest['made']}"
    mon = " and ".join(id for id, rules in RULESETS.items() if rules.mon)
    games = manifest["counts"]["games"]
    head = _HEAD.format(**manifest, until=until, texts=texts, games=games, mon=mon)
    parts = [head]
    for name, table in manifest["tables"].items():
        count = manifest["counts"][name]
        parts.append(f"\n### {name}.parquet, {count} rows\n\nA row is {table['row']}.\n\n")
        parts.append("| column | type | what |\n|---|---|---|\n")
        for one in table["columns"]:
            parts.append(f"| `{one['name']}` | `{one['type']}` | {one['meaning']} |\n")
    return "".join(parts)
