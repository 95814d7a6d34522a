"""Idempotency keys: a request repeated with the same key, sender and files is one upload."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import IntegrityError

from records.base import clock
from records.intake.receiving import Part, receive, shown_name
from records.models import IdempotencyKey, Upload, UploadFile, Visibility

#: Time after which a key is deleted.
RETENTION: Final = timedelta(days=2)


class KeyReused(Exception):
    """The error for a key that was used with other files."""


@dataclass(frozen=True, slots=True)
class Received:
    """An upload, and whether an earlier request created it."""

    upload: Upload
    is_repeated: bool


def receive_once(
    *,
    sender: str,
    key: str,
    parts: Iterable[Part],
    via: str,
    owner: int | None = None,
    visibility: int = Visibility.PUBLIC,
    replaces: str = "",
    secret: str = "",
) -> Received:
    """Receive an upload once for each ``key`` of a ``sender``.

    Parameters and errors are those of :func:`records.intake.receiving.receive`, and
    :class:`KeyReused`. Of two simultaneous requests with a key, the slower one gets the upload of
    the faster one, and its own files are removed.
    """
    former = _find(sender, key)
    if former is not None:
        sent = _fingerprint((shown_name(part.name), _hash(part)) for part in parts)
        return _return_former(former, sent)
    fingerprint = ""

    def remember(upload: Upload, files: Sequence[UploadFile]) -> None:
        nonlocal fingerprint
        fingerprint = _fingerprint((file.name, file.sha256) for file in files)
        IdempotencyKey.objects.create(
            sender=sender,
            key=key,
            fingerprint=fingerprint,
            upload=upload,
            created=clock.now(),
        )

    try:
        received = receive(
            parts=parts,
            via=via,
            sender=sender,
            owner=owner,
            visibility=visibility,
            replaces=replaces,
            secret=secret,
            on_create=remember,
        )
        return Received(received, is_repeated=False)
    except IntegrityError:
        former = _find(sender, key)
        if former is None:
            raise
        return _return_former(former, fingerprint)


def _find(sender: str, key: str) -> IdempotencyKey | None:
    keys = IdempotencyKey.objects.filter(sender=sender, key=key)
    return keys.select_related("upload").first()


def _return_former(former: IdempotencyKey, fingerprint: str) -> Received:
    """Return the former upload. Raise :class:`KeyReused` if other files were sent."""
    if former.fingerprint != fingerprint:
        raise KeyReused
    return Received(former.upload, is_repeated=True)


def _hash(part: Part) -> str:
    digest = hashlib.sha256()
    for data in part.chunks:
        digest.update(data)
    return digest.hexdigest()


def _fingerprint(files: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(list(files)).encode()).hexdigest()


def tidy() -> int:
    """Delete old keys. Return their number."""
    return IdempotencyKey.objects.filter(created__lt=clock.now() - RETENTION).delete()[0]
