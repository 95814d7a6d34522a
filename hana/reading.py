"""`hana list`, `hana stats`, `hana report`: what the archive has, for people and for pipes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hana.colours import status
from hana.server import Server

#: Games of a page of the list.
PAGE: Final = 200
#: Columns of a figure that a terminal shows for each estimate, without its interval.
_INTERVAL: Final = ("_low", "_high")


def games(
    server: Server, query: Mapping[str, Any], most: int, *, own: bool = False
) -> Iterator[dict[str, Any]]:
    """Games of the list, at most ``most``. Raises :class:`hana.errors.Failed`."""
    path = "me/games" if own else "records"
    answer = server.get(path, params={**query, "page_size": min(PAGE, most)})
    while True:
        found = answer.json()
        for one in found["results"][:most]:
            yield one
            most -= 1
        if not found["next"] or most <= 0:
            return
        answer = server.get(found["next"])


def line(found: Mapping[str, Any]) -> str:
    """A game in a line: key, date, ruleset, verdict, players with their final sums."""
    game = found.get("record", found)
    players = " – ".join(
        one["name"] + (f" {one['final']}" if one["final"] is not None else "")
        for one in game["players"]
    )
    parts = [game["key"], game["date"] or "-", game["ruleset"], game["status"], players]
    parts = [printable(part) for part in parts]
    parts[3] = status(parts[3])
    return "\t".join(parts)


def figures(server: Server) -> Iterator[str]:
    """The figures in lines: id and title."""
    for one in server.get("statistics").json()["statistics"]:
        yield f"{one['id']:<10}  {one['title']}"


def figure(server: Server, id: str, query: Mapping[str, Any]) -> Iterator[str]:
    """A figure as a table in lines, with what it is about above. Raises
    :class:`hana.errors.Failed`.
    """
    found = server.get(f"statistics/{id}", params=query).json()
    yield f"{found['title']}: n = {found['n']:,}, {found['games']:,} games"
    columns = [one for one in found["columns"] if not one["id"].endswith(_INTERVAL)]
    rows = [[one["title"] for one in columns]]
    for row in found["rows"]:
        rows.append([_cell(row.get(one["id"]), one["kind"]) for one in columns])
    yield from _table(rows)
    yield from found["notes"]


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return "–"
    if kind == "rate":
        return f"{value:.1%}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def report(server: Server, key: str, form: str) -> bytes:
    """The whole report of an upload as NDJSON or CSV; ``key`` may be the address of its page.

    Raises :class:`hana.errors.Failed`.
    """
    key = key.rstrip("/").rpartition("/")[2]
    return server.get(f"uploads/{key}/report.{form}").content


def as_json(found: Mapping[str, Any]) -> str:
    """An object as a line of JSON."""
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def printable(text: str) -> str:
    """A text without what would move a terminal's cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
