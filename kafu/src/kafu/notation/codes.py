"""The codes of reading: faults of a malformed text, and warnings for repairs."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from typing import Final

from kafu.notation.faults import Code

#: The texts of every code by its id, `kafu.rules.codes` included: ``en``, ``ja``, and optionally
#: ``rulings``.
#: Read by pkgutil, because importing importlib.resources takes a tenth of the library's start-up
#: time.
TEXTS: Final[Mapping[str, Mapping[str, str]]] = json.loads(
    pkgutil.get_data(__package__, "codes.json") or "{}"
)


def _code(id: str) -> Code:
    """Return the code with its texts."""
    return Code(id, **TEXTS[id])


# --- the file ---
EMPTY: Final = _code("empty")
BINARY: Final = _code("binary")
PICTURE: Final = _code("picture")
DOCUMENT: Final = _code("document")
UNREAD_ENCODING: Final = _code("unread-encoding")
COMPRESSED: Final = _code("compressed")
TOO_MANY_GAMES: Final = _code("too-many-games")
BAD_ENCODING: Final = _code("bad-encoding")
CONTROL_CHARACTER: Final = _code("control-character")
GAME_TOO_LARGE: Final = _code("game-too-large")
COMMENT_NOT_CLOSED: Final = _code("comment-not-closed")

# --- archives (kafu.archives) ---
ARCHIVE_TRUNCATED: Final = _code("archive-truncated")
ARCHIVE_DAMAGED: Final = _code("archive-damaged")
ARCHIVE_ENCRYPTED: Final = _code("archive-encrypted")
ARCHIVE_METHOD: Final = _code("archive-method")
ARCHIVE_LINK: Final = _code("archive-link")
ARCHIVE_EMPTY: Final = _code("archive-empty")
ARCHIVE_NO_ZSTD: Final = _code("archive-no-zstd")
PASSED_OVER: Final = _code("passed-over")
ARCHIVE_TOO_DEEP: Final = _code("archive-too-deep")
ARCHIVE_TOO_MANY: Final = _code("archive-too-many-files")
ARCHIVE_FILE_TOO_LARGE: Final = _code("archive-file-too-large")
ARCHIVE_TOTAL: Final = _code("archive-too-large")
ARCHIVE_RATIO: Final = _code("archive-ratio")
ARCHIVE_PARTS: Final = _code("archive-too-many-parts")
ARCHIVE_COSTLY: Final = _code("archive-too-costly")
ARCHIVE_OVERLAP: Final = _code("archive-overlap")
ARCHIVE_WINDOW: Final = _code("archive-window")
ARCHIVE_DOCUMENT: Final = _code("archive-document")

# --- uploads that are stopped (records.ingest.quotas) ---
QUOTA_BYTES: Final = _code("bytes-quota")
QUOTA_GAMES: Final = _code("games-quota")
QUOTA_MALFORMED: Final = _code("malformed-quota")
NOTHING_READABLE: Final = _code("nothing-readable")
TOO_COSTLY: Final = _code("too-costly")
GIVEN_UP: Final = _code("given-up")

# --- tags ---
FIRST_TAG: Final = _code("first-tag")
SECOND_GAME: Final = _code("second-game")
BAD_TAG: Final = _code("bad-tag")
TAG_TWICE: Final = _code("tag-twice")
TAG_AFTER_MONTH: Final = _code("tag-after-month")
TAG_TOO_LONG: Final = _code("tag-too-long")
TOO_MANY_TAGS: Final = _code("too-many-tags")
MISSING_TAG: Final = _code("missing-tag")
BAD_VERSION: Final = _code("bad-version")
UNKNOWN_RULES: Final = _code("unknown-rules")
UNKNOWN_OPTION: Final = _code("unknown-option")
BAD_OPTION_VALUE: Final = _code("bad-option-value")
OPTION_TWICE: Final = _code("option-twice")
UNKNOWN_TERMINATION: Final = _code("unknown-termination")
BAD_SHEET: Final = _code("bad-sheet")
MISSING_PLAYER: Final = _code("missing-player")
TOO_MANY_PLAYERS: Final = _code("too-many-players")

# --- statements ---
UNKNOWN_STATEMENT: Final = _code("unknown-statement")
STATEMENT_FORM: Final = _code("statement-form")
STATEMENT_ORDER: Final = _code("statement-order")
STATEMENT_TWICE: Final = _code("statement-twice")
NOT_IN_SHEET: Final = _code("not-in-sheet")
ONLY_IN_SHEET: Final = _code("only-in-sheet")
NO_MONTHS: Final = _code("no-months")
TOO_MANY_DEALS: Final = _code("too-many-deals")
TOO_MANY: Final = _code("too-many")
BAD_CARD: Final = _code("bad-card")
UNKNOWN_CARD_HERE: Final = _code("unknown-card-here")
NO_SUCH_SEAT: Final = _code("no-such-seat")
SEAT_TWICE: Final = _code("seat-twice")
BAD_AMOUNT: Final = _code("bad-amount")
AMBIGUOUS_AMOUNT: Final = _code("ambiguous-amount")
NO_KAN: Final = _code("no-kan")
BAD_AMOUNTS: Final = _code("bad-amounts")
UNKNOWN_GRADE: Final = _code("unknown-grade")
UNKNOWN_REASON: Final = _code("unknown-reason")
BAD_YAKU: Final = _code("bad-yaku")
BAD_LABEL: Final = _code("bad-label")
BAD_TURN: Final = _code("bad-turn")
UNKNOWN_DECISION: Final = _code("unknown-decision")

# --- JSON ---
BAD_JSON: Final = _code("bad-json")
JSON_TOO_DEEP: Final = _code("json-too-deep")
JSON_KEY_TWICE: Final = _code("json-key-twice")
JSON_NUMBER: Final = _code("json-number")
BAD_JSON_FORM: Final = _code("bad-json-form")

# --- warnings about repairs ---
DECODED: Final = _code("decoded")
DECODED_NAMES: Final = _code("decoded-names")
PRIVATE_CHARACTER: Final = _code("private-character")
DAMAGED_TEXT: Final = _code("damaged-text")
NO_CLAIM: Final = _code("no-claim")
CHARACTER_REPAIRED: Final = _code("character-repaired")
INVISIBLE_CHARACTER: Final = _code("invisible-character")
TEXT_AROUND: Final = _code("text-around")
LONE_CR: Final = _code("lone-cr")
ALIAS: Final = _code("alias")
BAD_DATE: Final = _code("bad-date")
NO_SUCH_DATE: Final = _code("no-such-date")
DOUBTFUL_DATE: Final = _code("doubtful-date")
TAGS_KEPT: Final = _code("tags-kept")
BAD_ESCAPE: Final = _code("bad-escape")
EMPTY_ROUND: Final = _code("empty-round")
ROUND_LEFT_OUT: Final = _code("round-left-out")
POINTS_FILLED_IN: Final = _code("points-filled-in")
MORE_WARNINGS: Final = _code("more-warnings")
NOT_READ: Final = _code("not-read")
