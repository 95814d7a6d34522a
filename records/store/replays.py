"""What the engine tells of a game, step by step: played once, and kept for all that show it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from kafu.judging.replay import replay
from kafu.notation.reading.reader import read
from records.base.zstd import zstd
from records.serving import cache

#: A sixth of the bytes; to pack them harder takes longer than to play a game.
_LEVEL: Final = 1


def replay_of_text(text: str, lang: str) -> dict[str, Any]:
    """The replay (`kafu.judging.replay`) of a game that is stored as this text, in ``lang``.

    Raises `kafu.rules.rulesets.Unsupported` where this version does not play it, and ValueError
    for a text that is not one game.
    """
    key = cache.key("played", lang, text)
    found = cache.get(key)
    if found is not None:
        data: dict[str, Any] = msgspec.msgpack.decode(zstd.decompress(found))
        return data
    game = read(text).game
    if game is None:
        raise ValueError("not the text of a game")
    data = replay(game, lang)
    cache.put(key, zstd.compress(msgspec.msgpack.encode(data), _LEVEL))
    return data
