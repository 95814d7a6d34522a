"""JSON of games in the archive."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypedDict

from django.urls import reverse

from api.openapi import KafuGame, register_component, schema_of
from kafu.judging.position import Position
from kafu.notation.difference import Change
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.rules.verdict import Verdict
from records.base import labels
from records.base.json_types import Component, Moment, Url
from records.base.release import absolute
from records.models import Record, Status
from records.search.corrections import Correction
from records.search.export_forms import Export, GameJson, TombstoneJson, fields_of, format_moment
from records.services.replays import position_of_text


class RecordJson(GameJson):
    """A game without its moves."""

    url: Annotated[Url, "The whole game."]
    kafu_url: Annotated[Url, "The canonical text of the game."]
    replay_url: Annotated[Url, "The table after each step."]
    sheet_url: Annotated[Url, "The score sheet of the game."]
    page: Annotated[Url, "The page for people."]


class WholeRecord(RecordJson):
    """A whole game: tags, verdict, and the JSON form of Kafu."""

    engine_version: Annotated[str, "The version of the engine that gave the verdict."]
    tags: dict[str, str]
    verdict: Annotated[Verdict, "The verdict, with lines of the canonical text."]
    position: Annotated[
        Position | None, "The place of the fault of an illegal game; null for other games."
    ]
    kafu: Annotated[KafuGame, "The game in the JSON form of Kafu."]


class CorrectionJson(TypedDict):
    """A correction: the replacement of a game, or of a text of the game."""

    former: Annotated[
        str,
        "The key of the game that was replaced; this game's own if only claims or comments "
        "changed.",
    ]
    when: Moment
    own: Annotated[bool, "Whether the caller sent it."]
    changes: Annotated[list[Change] | None, "Null if the former text may not be quoted."]
    cut: Annotated[bool, "Whether there are more changes."]


class History(TypedDict):
    """The corrections of a game."""

    key: str
    corrections: Annotated[list[CorrectionJson], "The newest first."]


GameOrTombstone = Annotated[dict[str, Any], Component("GameOrTombstone")]


class Changes(TypedDict):
    """A page of changes."""

    next: Annotated[Url | None, "Null: this is all for now."]
    cursor: Annotated[str, "The value of `changed_since` with which to continue at any time."]
    results: list[GameOrTombstone]


class PaginatedRecordList(TypedDict):
    """A page of games."""

    next: Url | None
    previous: Url | None
    results: list[RecordJson]


GAME_OR_TOMBSTONE: Final = register_component(
    "GameOrTombstone", lambda: schema_of(Export | TombstoneJson)
)
RECORDS_OR_CHANGES: Final = register_component(
    "RecordsOrChanges", lambda: schema_of(PaginatedRecordList | Changes)
)


def record_json(record: Record) -> dict[str, Any]:
    """Return a game as `RecordJson`."""

    def address(name: str) -> str:
        return absolute(reverse(name, args=[record.key]))

    fields = fields_of(record)
    return {
        "key": fields.pop("key"),
        "url": address("api:record"),
        "kafu_url": address("api:record-kafu"),
        "replay_url": address("api:record-replay"),
        "sheet_url": address("api:record-sheet"),
        "page": address("game"),
        **fields,
    }


def whole_record_json(record: Record) -> dict[str, Any]:
    """Return a game as `WholeRecord`."""
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    is_illegal = record.status == Status.ILLEGAL
    place = position_of_text(record.text, game) if is_illegal else None
    return {
        **record_json(record),
        "engine_version": record.engine_version,
        "tags": record.tags,
        "verdict": labels.verdict(record.verdict, record.players),
        "position": place.to_json() if place else None,
        "kafu": to_json(game),
    }


def correction_json(correction: Correction) -> CorrectionJson:
    """Return a correction as `CorrectionJson`."""
    changes = correction.changes
    return {
        "former": correction.former,
        "when": format_moment(correction.when),
        "own": correction.is_own,
        "changes": changes and [change._asdict() for change in changes],  # type: ignore[misc]
        "cut": correction.is_cut,
    }
