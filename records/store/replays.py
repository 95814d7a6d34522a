"""Stored games played again, once for all that show them.

In: the text of a game. Out: what the engine tells of it, cached by the text and the version of the
library: no language, as what is cached has no words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from kafu.judging import position
from kafu.judging.position import Position
from kafu.judging.replay import stored_replay
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.verdict import localise_fault
from records.base import labels
from records.base.release import library
from records.base.zstd import zstd
from records.serving.cached_responses import key_of, once

#: A sixth of the bytes; to pack them harder takes longer than to play a game.
_LEVEL: Final = 1


def replay_of_text(text: str, lang: str) -> dict[str, Any]:
    """Return the replay (`kafu.judging.replay`) of a game that is stored as this text, in ``lang``.

    Raises `kafu.rules.rulesets.Unsupported` where this version does not play it, and ValueError
    for a text that is not one game.
    """

    def play() -> dict[str, Any]:
        game = read(text).game
        if game is None:
            raise ValueError("not the text of a game")
        return stored_replay(game)

    found: dict[str, Any] = _cached("replay", text, dict[str, Any], play)
    players = labels.people(found["players"])
    return found | {"error": localise_fault(found["error"], lang, players)}


def position_of_text(text: str, game: Game) -> Position | None:
    """Return the place of the first fault (`kafu.judging.position`) of a game; None without one.

    The game was read from this stored text.
    """
    found: Position | None = _cached(
        "position", text, Position | None, lambda: position.position(game)
    )
    return found


def _cached(kind: str, text: str, form: Any, make: Callable[[], Any]) -> Any:
    def packed() -> bytes:
        return zstd.compress(msgspec.msgpack.encode(make()), _LEVEL)

    found = once(key_of(kind, text, made_by=library()), packed)
    return msgspec.msgpack.decode(zstd.decompress(found), type=form)
