"""Cached replays of stored games, for pages and the API.

Entries are keyed by the text of a game and the version of the library. They contain no words, so
that one entry serves all languages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from kafu.judging.position import Position, position
from kafu.judging.replay import stored_replay
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from records.base.packed_values import zstd
from records.base.release import library
from records.serving.cached_responses import key_of, once
from records.serving.computing import compute

#: Level of compression: a sixth of the bytes. Higher levels take longer than to replay a game.
_LEVEL: Final = 1


def replay_of_text(text: str) -> dict[str, Any]:
    """Return the replay of a game's stored text, with a stored error (`stored_replay`).

    Raise `kafu.rules.rulesets.Unsupported` if this version cannot play the game, and ValueError if
    the text is not one game.
    """

    replay: dict[str, Any] = _cached("replay", text, dict[str, Any], _play)
    return replay


def _play(text: str) -> dict[str, Any]:
    game = read(text).game
    if game is None:
        raise ValueError("not the text of a game")
    return stored_replay(game)


def position_of_text(text: str, game: Game) -> Position | None:
    """Return the position at the first fault (`kafu.judging.position`) of a game, or None.

    ``game`` must be the game read from ``text``.
    """
    first_fault: Position | None = _cached("position", text, Position | None, position, game)
    return first_fault


def _cached(
    kind: str, text: str, result_type: Any, function: Callable[..., Any], game: Game | None = None
) -> Any:
    """Return the cached result of a function of ``game``, or else of ``text``."""

    def pack() -> bytes:
        return compute(_pack, function, text if game is None else game)

    packed = once(key_of(kind, text, made_by=library()), pack)
    return msgspec.msgpack.decode(zstd.decompress(packed), type=result_type)


def _pack(function: Callable[..., Any], argument: str | Game) -> bytes:
    return zstd.compress(msgspec.msgpack.encode(function(argument)), _LEVEL)
