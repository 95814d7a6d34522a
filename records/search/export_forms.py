"""Exports of games in one of three formats, written while the games are read.

- ``kafu``: canonical texts, an empty line between two games.
- ``ndjson``: a JSON object per game: its columns in lists, its text, and the cursor after it.
- ``csv``: the same without the text, a row per game.

A client resumes from the cursor of the last complete line. Kafu text has no place for a cursor; the
API sends it in blocks, with the cursor of the next block.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, Final

from records.base.csv_cells import safe_cell
from records.models import Record
from records.search.changes import Tombstone
from records.search.export import Place
from records.search.inclusions import NONE, Inclusion
from records.search.selection import cursor
from records.shapes.records import Export, GameJson, SeatJson, TombstoneJson
from records.shapes.shape import to_json_line, to_values

FORMS: Final = ("kafu", "ndjson", "csv")
#: Columns of both tables, from the record's own.
_OWN: Final = (
    *("key", "identity", "ruleset", "profile", "options", "sheet", "event", "site", "date"),
    *("round", "source", "termination", "status", "error_code"),
)
_SEATS: Final = range(1, 8)
COLUMNS: Final = (
    *("cursor", *_OWN, "deals_played", "turns", "created", "changed"),
    *(f"player{seat}" for seat in _SEATS),
    *(f"final{seat}" for seat in _SEATS),
)
#: Bytes of one piece of a response.
_PIECE: Final = 1 << 16

PlacedGames = Iterable[tuple[Place, Record]]


def write_games(
    form: str, placed_games: PlacedGames, *, head: bool = True, include: Inclusion = NONE
) -> Iterator[bytes]:
    """Yield games in one of `FORMS`, in chunks; ``head``: begin CSV with a header.

    ``include`` selects optional members of NDJSON lines.
    """
    if form == "ndjson":
        return _join_chunks(
            to_json_line(make_line(*placed_game, include)) for placed_game in placed_games
        )
    return _join_chunks(
        _format_table(placed_games, head) if form == "csv" else _format_texts(placed_games)
    )


def _join_chunks(texts: Iterable[str]) -> Iterator[bytes]:
    pieces: list[str] = []
    size = 0
    for piece in texts:
        pieces.append(piece)
        size += len(piece)
        if size > _PIECE:
            yield "".join(pieces).encode()
            pieces, size = [], 0
    yield "".join(pieces).encode()


def game_fields(record: Record) -> dict[str, Any]:
    """Return the fields of `GameJson` that have other names than those of a record."""
    seats = [SeatJson.build(seat, seat=seat.number) for seat in record.seats.all()]
    return {"turns": record.turns_played, "players": seats}


def _format_texts(placed_games: PlacedGames) -> Iterator[str]:
    for _place, record in placed_games:
        yield f"{record.text}\n"


def make_line(place: Place, record: Record, include: Inclusion = NONE) -> Export:
    """Return a game's line in NDJSON."""
    return Export.build(record, cursor=cursor(place), **game_fields(record), **include.of(record))


def make_change_line(place: Place, change: Record | Tombstone) -> Export | TombstoneJson:
    """Return the line of a changed game or a tombstone."""
    if isinstance(change, Tombstone):
        return TombstoneJson.build(change, cursor=cursor(place))
    return make_line(place, change)


def write_changes(placed_changes: Iterable[tuple[Place, Record | Tombstone]]) -> Iterator[bytes]:
    """Yield changes as NDJSON, in chunks."""
    return _join_chunks(
        to_json_line(make_change_line(place, change)) for place, change in placed_changes
    )


class _RowReturner:
    """A file object for the csv module that returns each row."""

    def write(self, row: str) -> str:
        """Return the row."""
        return row


def _format_table(placed_games: PlacedGames, head: bool) -> Iterator[str]:
    writer = csv.writer(_RowReturner())
    if head:  # the BOM tells spreadsheets that the file is UTF-8
        yield "\ufeff" + writer.writerow(COLUMNS)
    for place, record in placed_games:
        row = to_values(GameJson.build(record, **game_fields(record))) | {"cursor": cursor(place)}
        for seat in row.pop("players"):
            row |= {f"player{seat['seat']}": seat["name"], f"final{seat['seat']}": seat["final"]}
        yield writer.writerow([_format_cell(row.get(name)) for name in COLUMNS])


def _format_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return safe_cell(value) if isinstance(value, str) else value
