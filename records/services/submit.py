"""Submission of games: what pages and the API do with the files that a user sends.

An upload can replace a game of its sender, and can carry an idempotency key: a request repeated
with the same key, sender and files is one upload.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, NamedTuple

from django.db import IntegrityError
from django.utils.translation import gettext as _

from kafu.importers import read_piece
from kafu.notation.game import Month
from kafu.notation.stream.cut import single
from kafu.notation.stream.extent import Piece
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import identity
from records.base import clock
from records.base.keys import player_key
from records.ingest.receiving import Part, UploadTooLarge, receive, shown_name
from records.ingest.tags import find_lost_tags
from records.models import IdempotencyKey, Ownership, Record, Upload, UploadFile, Visibility
from records.privacy.access import Viewer
from records.privacy.circles import Circle
from records.serving.computing import compute
from records.texts.choice import FILLED_TAGS, Sender, list_earlier_texts
from records.texts.pieces import piece_of

#: Time after which an idempotency key is deleted.
RETENTION: Final = timedelta(days=2)


class KeyReused(Exception):
    """The error for an idempotency key that was used with other files."""


class ReplacementRefused(Exception):
    """The error for a game that cannot replace the former game; ``words`` explain it."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class NotOneGame(Exception):
    """The error for a replacement that is not a single game; ``words`` explain it to the user."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class Received:
    """An upload, and whether an earlier request created it."""

    upload: Upload
    is_repeated: bool


def submit(
    parts: Iterable[Part],
    *,
    via: str,
    sender: str,
    viewer: Viewer,
    secret: str = "",
    visibility: int | None = None,
    circle: Circle | None = None,
    former: Ownership | None = None,
    allow_other: bool = False,
    key: str = "",
) -> Received:
    """Store an upload and enqueue its files.

    ``via`` is "page" or "api", and ``sender`` the result of `records.serving.senders.sender_of`. A
    sender without an account can prove ownership later by a secret, whose hash is ``secret``.
    ``circle`` is the circle that gets the games, or None. ``former`` is the sender's ownership of
    the game that the upload replaces (`records.privacy.access.find_ownership`). Without
    ``visibility`` the new game is as visible as the former one, or else as the circle has it, or
    else public. ``allow_other`` permits a game with another ruleset, other players and other deals
    than the former game. ``key`` is an idempotency key. Of two simultaneous requests with a key,
    the slower one gets the upload of the faster one, and its own files are removed.

    Raise :class:`NotOneGame`, :class:`ReplacementRefused`, :class:`KeyReused` and the errors of
    `records.ingest.receiving.receive`. Nothing is stored after an error.
    """
    replaces = ""
    earlier = _find(sender, key)
    if former is not None:
        parts, sent_game = _only_game(parts)
        if earlier is None:
            _check_replacement(former, sent_game, viewer, secret, allow_other=allow_other)
        replaces = former.record.key
    if visibility is None:
        source = former or circle
        visibility = Visibility.PUBLIC if source is None else source.visibility
    if earlier is not None:
        sent = _fingerprint((shown_name(part.name), _hash(part)) for part in parts)
        return _repeat(earlier, sent)
    fingerprint = ""

    def remember(upload: Upload, files: Sequence[UploadFile]) -> None:
        nonlocal fingerprint
        if not key:
            return
        fingerprint = _fingerprint((file.name, file.sha256) for file in files)
        IdempotencyKey.objects.create(
            sender=sender, key=key, fingerprint=fingerprint, upload=upload, created=clock.now()
        )

    try:
        upload = receive(
            parts=parts,
            via=via,
            sender=sender,
            owner=viewer.user,
            visibility=visibility,
            replaces=replaces,
            secret=secret if viewer.user is None else "",
            circle=circle.id if circle is not None else "",
            on_create=remember,
        )
    except IntegrityError:
        earlier = _find(sender, key)
        if earlier is None:
            raise
        return _repeat(earlier, fingerprint)
    return Received(upload, is_repeated=False)


class _SentGame(NamedTuple):
    """What decides whether a game may replace another; the identity is "" for an unreadable one."""

    identity: str
    ruleset: str
    players: frozenset[str]
    deals: list[Month]
    tags: dict[str, str]

    def is_other_than(self, former: _SentGame) -> bool:
        """Return whether two games have another ruleset, other players and other deals."""
        if self.ruleset == former.ruleset or self.players & former.players:
            return False
        return not any(deal in former.deals for deal in self.deals)


def _check_replacement(
    former: Ownership, sent: _SentGame, viewer: Viewer, secret: str, *, allow_other: bool
) -> None:
    """Raise :class:`ReplacementRefused` for another game, and for tags that cannot change."""
    record = former.record
    if sent.identity == record.identity:
        if record.visibility < Visibility.UNLISTED:
            return  # Owners of a private game must not learn of each other.
        lost = _find_refused_tags(record, viewer.user or secret, sent.tags)
        if lost:
            raise ReplacementRefused(
                _(
                    "Another sender sent this game first, and its tags stay: %(tags)s. "
                    "Nothing was replaced."
                )
                % {"tags": ", ".join(lost)}
            )
        return
    stored = None if allow_other else compute(_describe, record.text.encode())
    if stored is not None and sent.is_other_than(stored):
        raise ReplacementRefused(
            _(
                "This is another game: ruleset, players and deals differ from those of the game "
                "that it would replace. Nothing was replaced."
            )
        )


def _find_refused_tags(record: Record, sender: Sender, tags: Mapping[str, str]) -> list[str]:
    """Return the tags of a correction that lose against those of earlier senders."""
    stored_tags: dict[str, str] = {}
    earlier = list_earlier_texts(record, sender)
    for text in earlier:
        earlier_tags = compute(_read_tags, piece_of(text))
        if text is not earlier[0]:
            earlier_tags = {name: earlier_tags.get(name, "") for name in FILLED_TAGS}
        stored_tags |= {
            name: value for name, value in earlier_tags.items() if not stored_tags.get(name)
        }
    lost = find_lost_tags(tags, stored_tags) if earlier else []
    return [name for name in lost if stored_tags.get(name) or name not in FILLED_TAGS]


def _read_tags(piece: Piece) -> dict[str, str]:
    game = read_piece(piece).game
    return game.tags if game is not None else {}


def _only_game(parts: Iterable[Part]) -> tuple[list[Part], _SentGame]:
    """Return the single game of an upload, as a part with its bytes and as read.

    Raise :class:`NotOneGame`, or UploadTooLarge if it is larger than a game may be.
    """
    read: list[Part] = []
    for part in parts:
        data = b""
        for piece in part.chunks:
            data += piece
            if len(data) > MAX_GAME_BYTES:
                raise UploadTooLarge(MAX_GAME_BYTES)
        read.append(replace(part, chunks=[data]))
        if len(read) > 1:
            break
    sent = compute(_describe, b"".join(read[0].chunks)) if len(read) == 1 else None
    if sent is None:
        raise NotOneGame(_("One game replaces another: send exactly one."))
    if not sent.identity:
        raise NotOneGame(_("This cannot be read as a game: nothing was replaced."))
    return read, sent


def _describe(data: bytes) -> _SentGame | None:
    """Return the single game of a text, None for several games."""
    piece = single(data)
    if piece is None:
        return None
    game = read_piece(piece).game
    if game is None:
        return _SentGame("", "", frozenset(), [], {})
    players = frozenset(map(player_key, game.players))
    return _SentGame(identity(game), game.rules, players, game.months, game.tags)


def _find(sender: str, key: str) -> IdempotencyKey | None:
    """Return the stored idempotency key of a sender, or None."""
    if not key:
        return None
    keys = IdempotencyKey.objects.filter(sender=sender, key=key)
    return keys.select_related("upload").first()


def _repeat(earlier: IdempotencyKey, fingerprint: str) -> Received:
    """Return the earlier upload. Raise :class:`KeyReused` if other files were sent."""
    if earlier.fingerprint != fingerprint:
        raise KeyReused
    return Received(earlier.upload, is_repeated=True)


def _hash(part: Part) -> str:
    digest = hashlib.sha256()
    for data in part.chunks:
        digest.update(data)
    return digest.hexdigest()


def _fingerprint(files: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(list(files)).encode()).hexdigest()


def tidy() -> int:
    """Delete old idempotency keys. Return their number."""
    return IdempotencyKey.objects.filter(created__lt=clock.now() - RETENTION).delete()[0]
