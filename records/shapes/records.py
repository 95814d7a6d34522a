"""Games of the archive: in lists, whole, exported, corrected, replayed, as a score sheet."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import UNSET, UnsetType

from kafu.judging.position import Position
from kafu.judging.replay import PlayedGame
from kafu.notation.difference import Change
from kafu.notation.json_types import OneOf, RulesetId
from kafu.notation.vocabulary import TERMINATIONS
from kafu.rules.verdict import Status, Verdict
from kafu.score_sheet import SUMS
from records.base.json_types import Component, Url
from records.models import Gone
from records.shapes.shape import Shape

#: The reason of a tombstone of a game that is unlisted now; for the other reasons see `Gone`.
UNLISTED: Final = "unlisted"
KafuGame = Annotated[dict[str, Any], Component("KafuGame")]


class SeatJson(Shape):
    """The player of a seat, and the result; `rank` 1 is the best, null if the game has no end."""

    seat: int
    name: str
    final: int | None
    rank: int | None


class GameJson(Shape, kw_only=True):
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


class Opening(Shape):
    """The first card that was played in a deal."""

    card: str
    captured: Annotated[str, "Empty if it captured nothing."]


class DecisionJson(Shape):
    """A seat that could stop or go on."""

    seat: int
    word: Annotated[str, "The declared word."]
    yaku: Annotated[list[str], "The yaku made so far."]
    left: Annotated[int, "Cards in its hand."]
    opponent: Annotated[int, "The most cards an opponent had captured."]
    stop: Annotated[int, "Its score of the deal, had it stopped."]


class DealFactsJson(Shape):
    """Facts of a deal beyond its result; cards are letters."""

    hands: Annotated[list[str], "As dealt; empty where not all cards are known."]
    field: Annotated[str, "When the first card was played."]
    opening: Opening | None
    decisions: list[DecisionJson]
    captured: Annotated[list[str] | None, "At the end, by seat."]


class Export(GameJson, kw_only=True):
    """A line of an NDJSON file: a game with its canonical text."""

    cursor: Annotated[str, "To continue after this game: `cursor=…`."]
    text: Annotated[str, "Kafu."]
    verdict: Annotated[Verdict | UnsetType, "With `include=verdict`."] = UNSET
    moves: Annotated[
        dict[str, Any] | UnsetType, "With `include=moves`: see /api/v1/kafu.schema.json."
    ] = UNSET
    facts: Annotated[
        list[DealFactsJson] | UnsetType | None, "With `include=facts`; null for none."
    ] = UNSET


class TombstoneJson(Shape):
    """A game that is no longer public: mirrors remove it."""

    cursor: Annotated[str, "To continue after this change."]
    key: Annotated[str | None, "Null for a game that is unlisted now: see `digest`."]
    digest: Annotated[str, "SHA-256 of the key, in hexadecimal digits."]
    gone: datetime
    reason: Annotated[str, OneOf("TombstoneReason", (*Gone.values, UNLISTED))]


class RecordJson(GameJson, kw_only=True):
    """A game without its moves."""

    url: Annotated[Url, "The whole game."]
    kafu_url: Annotated[Url, "The canonical text of the game."]
    replay_url: Annotated[Url, "The table after each step."]
    sheet_url: Annotated[Url, "The score sheet of the game."]
    page: Annotated[Url, "The page for people."]


class WholeRecord(RecordJson, kw_only=True):
    """A whole game: tags, verdict, and the JSON form of Kafu."""

    engine_version: Annotated[str, "The version of the engine that gave the verdict."]
    tags: dict[str, str]
    verdict: Annotated[Verdict, "The verdict, with lines of the canonical text."]
    position: Annotated[
        Position | None, "The place of the fault of an illegal game; null for other games."
    ]
    kafu: Annotated[KafuGame, "The game in the JSON form of Kafu."]


class CorrectionJson(Shape):
    """A correction: the replacement of a game, or of a text of the game."""

    former: Annotated[
        str,
        "The key of the game that was replaced; this game's own if only claims or comments "
        "changed.",
    ]
    when: datetime
    own: Annotated[bool, "Whether the caller sent it."]
    changes: Annotated[list[Change] | None, "Null if the former text may not be quoted."]
    cut: Annotated[bool, "Whether there are more changes."]


class History(Shape):
    """The corrections of a game."""

    key: str
    corrections: Annotated[list[CorrectionJson], "The newest first."]


class Changes(Shape):
    """A page of changes."""

    next: Annotated[Url | None, "Null: this is all for now."]
    cursor: Annotated[str, "The value of `changed_since` with which to continue at any time."]
    results: list[Annotated[Export | TombstoneJson, Component("GameOrTombstone")]]


class Replay(PlayedGame):
    """A game step by step, up to its end or first fault."""

    ruleset: RulesetId


class SheetRow(Shape):
    """A row with a text for each column; a month has a row for each payment."""

    kind: Annotated[str, OneOf("SheetRowKind", ("month", "player", *SUMS))]
    void: Annotated[bool, "Struck out: not in the sums."]
    cells: list[str]


class Sheet(Shape):
    """A sheet in the layout of its ruleset's document; texts in the requested language."""

    ruleset: str
    columns: list[str]
    rows: list[SheetRow]
