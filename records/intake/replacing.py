"""What is sent in the place of a game: one game that can be read, by an owner of the former one.

In: the parts of an upload, and the key of a game. Out: the one part, to be received with
``replaces`` (`records.intake.receiving.receive`); storing does the rest
(`records.store.replacing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from kafu.importers import read_piece
from kafu.notation.stream.cut import single
from kafu.notation.vocabulary import MAX_GAME_BYTES
from records.intake.receiving import Part, UploadTooLarge


class NotOneGame(Exception):
    """What was sent to replace a game is not one game; ``words`` say what it is."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def only_game(parts: Iterable[Part]) -> list[Part]:
    """Return the single game of an upload, as a part with its bytes.

    Raise :class:`NotOneGame`, or `UploadTooLarge` if it is larger than a game may be.
    """
    found: list[Part] = []
    for part in parts:
        data = b""
        for piece in part.chunks:
            data += piece
            if len(data) > MAX_GAME_BYTES:
                raise UploadTooLarge(MAX_GAME_BYTES)
        found.append(replace(part, chunks=[data]))
        if len(found) > 1:
            break
    only = single(b"".join(found[0].chunks)) if len(found) == 1 else None
    if only is None:
        raise NotOneGame(_("One game replaces another: send exactly one."))
    if read_piece(only).game is None:
        raise NotOneGame(_("This cannot be read as a game: nothing was replaced."))
    return found
