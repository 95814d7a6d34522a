"""Exports of games in one of three formats, written while the games are read.

- ``kafu``: canonical texts, an empty line between two games.
- ``ndjson``: a JSON object per game: its columns in lists, its text, and the cursor after it.
- ``csv``: the same without the text, a row per game.

A client resumes from the cursor of the last complete line. Kafu text has no place for a cursor; the
API sends it in blocks, with the cursor of the next block.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired, TypedDict

from kafu.notation.json_types import OneOf, RulesetId
from kafu.notation.vocabulary import TERMINATIONS
from kafu.rules.verdict import Status, Verdict
from records.base.csv_cells import safe_cell
from records.models import Record
from records.search.changes import REASONS, Tombstone
from records.search.export import Place
from records.search.inclusions import NONE, DealFactsJson, Inclusion
from records.search.selection import cursor

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


class SeatJson(TypedDict):
    """The player of a seat, and the result; `rank` 1 is the best, null if the game has no end."""

    seat: int
    name: str
    final: int | None
    rank: int | None


class GameJson(TypedDict):
    """The columns of a game in lists."""

    key: str
    identity: str
    ruleset: RulesetId
    profile: str
    options: Annotated[str, "As in the Options tag."]
    sheet: bool
    event: str
    site: str
    date: Annotated[str, "As written; unknown parts are `??`."]
    round: str
    source: str
    termination: Annotated[str, OneOf("Termination", TERMINATIONS)]
    status: Status
    error_code: Annotated[str, "Empty where nothing is wrong."]
    deals_played: Annotated[int, "Deals that ended."]
    turns: int
    players: list[SeatJson]
    created: datetime
    changed: datetime


class Export(GameJson):
    """A line of an NDJSON file: a game with its canonical text."""

    cursor: Annotated[str, "To continue after this game: `cursor=…`."]
    text: Annotated[str, "Kafu."]
    verdict: NotRequired[Annotated[Verdict, "With `include=verdict`."]]
    moves: NotRequired[
        Annotated[dict[str, Any], "With `include=moves`: see /api/v1/kafu.schema.json."]
    ]
    facts: NotRequired[
        Annotated[list[DealFactsJson] | None, "With `include=facts`; null for none."]
    ]


class TombstoneJson(TypedDict):
    """A game that is no longer public: mirrors remove it."""

    cursor: Annotated[str, "To continue after this change."]
    key: Annotated[str | None, "Null for a game that is unlisted now: see `digest`."]
    digest: Annotated[str, "SHA-256 of the key, in hexadecimal digits."]
    gone: datetime
    reason: Annotated[str, OneOf("TombstoneReason", REASONS)]


def write_games(
    form: str, placed_games: PlacedGames, *, head: bool = True, include: Inclusion = NONE
) -> Iterator[bytes]:
    """Yield games in one of `FORMS`, in chunks; ``head``: begin CSV with a header.

    ``include`` selects optional members of NDJSON lines.
    """
    if form == "ndjson":
        return _join_chunks(
            _format_json_line(make_full_line(*placed_game, include)) for placed_game in placed_games
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


def make_line(place: Place, record: Record) -> dict[str, Any]:
    """Return the fields of a game's line, without the text."""
    return {"cursor": cursor(place), **fields_of(record)}


def fields_of(record: Record) -> dict[str, Any]:
    """Return the columns of a game in lists (`GameJson`)."""
    return {
        **{name: getattr(record, name) for name in _OWN},
        "deals_played": record.deals_played,
        "turns": record.turns_played,
        "players": [
            {"seat": seat.number, "name": seat.name, "final": seat.final, "rank": seat.rank}
            for seat in record.seats.all()
        ],
        "created": format_moment(record.created),
        "changed": format_moment(record.changed),
    }


def format_moment(moment: datetime) -> str:
    """Return a moment in the format of JSON."""
    return str(moment.isoformat()).replace("+00:00", "Z")


def _format_texts(placed_games: PlacedGames) -> Iterator[str]:
    for _place, record in placed_games:
        yield f"{record.text}\n"


def make_full_line(place: Place, record: Record, include: Inclusion = NONE) -> dict[str, Any]:
    """Return the fields of a game's line in NDJSON."""
    return make_line(place, record) | {"text": record.text} | include.of(record)


def make_change_line(place: Place, change: Record | Tombstone) -> dict[str, Any]:
    """Return the fields of the line of a changed game or a tombstone."""
    if isinstance(change, Tombstone):
        return {"cursor": cursor(place), **change._asdict(), "gone": format_moment(change.gone)}
    return make_full_line(place, change)


def write_changes(placed_changes: Iterable[tuple[Place, Record | Tombstone]]) -> Iterator[bytes]:
    """Yield changes as NDJSON, in chunks."""
    return _join_chunks(
        _format_json_line(make_change_line(place, change)) for place, change in placed_changes
    )


def _format_json_line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


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
        row = make_line(place, record)
        seats = {seat["seat"]: seat for seat in row.pop("players")}
        row |= {f"player{number}": seat["name"] for number, seat in seats.items()}
        row |= {f"final{number}": seat["final"] for number, seat in seats.items()}
        yield writer.writerow([_format_cell(row.get(name)) for name in COLUMNS])


def _format_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return safe_cell(value) if isinstance(value, str) else value
