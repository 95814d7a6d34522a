"""Submission of games: what pages and the API do with the files that a user sends.

An upload can replace a game of its sender, and can carry an idempotency key: a request repeated
with the same key, sender and files is one upload.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from django.db import IntegrityError
from django.utils.translation import gettext as _

from kafu.importers import read_piece
from kafu.notation.stream.cut import single
from kafu.notation.vocabulary import MAX_GAME_BYTES
from records.base import clock
from records.ingest.receiving import Part, UploadTooLarge, receive, shown_name
from records.models import IdempotencyKey, Ownership, Upload, UploadFile, Visibility
from records.privacy.access import Viewer
from records.serving.computing import compute

#: Time after which an idempotency key is deleted.
RETENTION: Final = timedelta(days=2)


class KeyReused(Exception):
    """The error for an idempotency key that was used with other files."""


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
    former: Ownership | None = None,
    key: str = "",
) -> Received:
    """Store an upload and enqueue its files.

    ``via`` is "page" or "api", and ``sender`` the result of `records.serving.senders.sender_of`. A
    sender without an account can prove ownership later by a secret, whose hash is ``secret``.
    ``former`` is the sender's ownership of the game that the upload replaces
    (`records.privacy.access.find_ownership`); the new game is as visible as the former one unless
    ``visibility`` is given. ``key`` is an idempotency key. Of two simultaneous requests with a key,
    the slower one gets the upload of the faster one, and its own files are removed.

    Raise :class:`NotOneGame`, :class:`KeyReused` and the errors of
    `records.ingest.receiving.receive`. Nothing is stored after an error.
    """
    replaces = ""
    if former is not None:
        parts = _only_game(parts)
        replaces = former.record.key
        visibility = former.visibility if visibility is None else visibility
    earlier = _find(sender, key)
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
            visibility=Visibility.PUBLIC if visibility is None else visibility,
            replaces=replaces,
            secret=secret if viewer.user is None else "",
            on_create=remember,
        )
    except IntegrityError:
        earlier = _find(sender, key)
        if earlier is None:
            raise
        return _repeat(earlier, fingerprint)
    return Received(upload, is_repeated=False)


def _only_game(parts: Iterable[Part]) -> list[Part]:
    """Return the single game of an upload, as a part with its bytes.

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
    count = compute(_count_readable, b"".join(read[0].chunks)) if len(read) == 1 else None
    if count is None:
        raise NotOneGame(_("One game replaces another: send exactly one."))
    if not count:
        raise NotOneGame(_("This cannot be read as a game: nothing was replaced."))
    return read


def _count_readable(data: bytes) -> int | None:
    """Return 1 for a readable game, 0 for an unreadable one, and None for several games."""
    piece = single(data)
    return None if piece is None else int(read_piece(piece).game is not None)


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
