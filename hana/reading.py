"""`hana list`, `hana stats` and `hana report`: data of the archive for people and for pipes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hana.progress import status
from hana.server import Server

#: Number of games in a page of the list.
PAGE: Final = 200
#: Suffixes of the columns of intervals, which a terminal does not show.
_INTERVAL: Final = ("_low", "_high")


def games(
    server: Server, query: Mapping[str, Any], most: int, *, own: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield games of the list, at most ``most``. Raise :class:`hana.state.Failed`."""
    path = "me/games" if own else "records"
    response = server.get(path, params={**query, "page_size": min(PAGE, most)})
    while True:
        page = response.json()
        for game in page["results"][:most]:
            yield game
            most -= 1
        if not page["next"] or most <= 0:
            return
        response = server.get(page["next"])


def line(result: Mapping[str, Any]) -> str:
    """Return a line about a game: key, date, ruleset, status, players with their final sums."""
    game = result.get("record", result)
    players = " – ".join(
        player["name"] + (f" {player['final']}" if player["final"] is not None else "")
        for player in game["players"]
    )
    parts = [game["key"], game["date"] or "-", game["ruleset"], game["status"], players]
    parts = [printable(part) for part in parts]
    parts[3] = status(parts[3])
    return "\t".join(parts)


def figures(server: Server) -> Iterator[str]:
    """Yield a line for each figure: id and title."""
    for listed in server.get("statistics").json()["statistics"]:
        yield f"{listed['id']:<10}  {listed['title']}"


def figure(server: Server, id: str, query: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a figure: title, table and notes. Raise :class:`hana.state.Failed`."""
    result = server.get(f"statistics/{id}", params=query).json()
    yield f"{result['title']}: n = {result['n']:,}, {result['games']:,} games"
    columns = [column for column in result["columns"] if not column["id"].endswith(_INTERVAL)]
    rows = [[column["title"] for column in columns]]
    for row in result["rows"]:
        rows.append([_cell(row.get(column["id"]), column["kind"]) for column in columns])
    yield from _table(rows)
    yield from result["notes"]


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
    """Return the report of an upload as NDJSON or CSV.

    ``key`` may be the address of the upload's page. Raise :class:`hana.state.Failed`.
    """
    key = key.rstrip("/").rpartition("/")[2]
    return server.get(f"uploads/{key}/report.{form}").content


def as_json(value: Mapping[str, Any]) -> str:
    """Return an object as a line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def printable(text: str) -> str:
    """Replace the characters of a text that would move a terminal's cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
