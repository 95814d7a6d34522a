"""Requests that may be sent again: the same key, sender and bytes are one upload, not two.

In: files as they arrive, with a key. Out: their upload, new or as it was received before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import IntegrityError

from records.base import clock
from records.base.locks import Locked, locked
from records.intake.receiving import Part, receive, shown_name
from records.models import IdempotencyKey, Upload, UploadFile, Visibility

#: How long a key is remembered.
KEPT: Final = timedelta(days=2)


class KeyReused(Exception):
    """A key that was sent before, with other files."""


@dataclass(frozen=True, slots=True)
class Received:
    """An upload, and whether it had been received before."""

    upload: Upload
    again: bool


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
    """As :func:`records.intake.receiving.receive`, once a ``key`` of a ``sender``.

    Raises besides :class:`KeyReused`, and :class:`records.base.locks.Locked` while another request
    with this key is being received.
    """
    with locked(f"{sender}\n{key}"):
        known = (
            IdempotencyKey.objects.filter(sender=sender, key=key).select_related("upload").first()
        )
        if known is not None:
            if known.fingerprint != _fingerprint((shown_name(p.name), _hash(p)) for p in parts):
                raise KeyReused
            return Received(known.upload, again=True)

        def remember(upload: Upload, files: Sequence[UploadFile]) -> None:
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
            return Received(received, again=False)
        except IntegrityError as error:
            # On a disk without locks another request was first; the next try finds its upload.
            raise Locked from error


def _hash(part: Part) -> str:
    found = hashlib.sha256()
    for data in part.chunks:
        found.update(data)
    return found.hexdigest()


def _fingerprint(files: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(list(files)).encode()).hexdigest()


def tidy() -> int:
    """Forget old keys; returns how many."""
    return IdempotencyKey.objects.filter(created__lt=clock.now() - KEPT).delete()[0]
