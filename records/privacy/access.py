"""Viewers and what they may see: one rule for pages, API, files and answers.

A game is visible to all who may see one of its ownerships: public and unlisted ones are visible to
everybody, private ones to their owner. An upload is visible to all, or to its owner alone, by its
own visibility. A game of an upload is shown as it was sent if both are visible, the upload and its
sender's own ownership of the game, whoever else owns it; what was withdrawn or taken down stays
hidden even if the game is sent again. Its sender and the staff always see it. Of a hidden game only
the place in its file is reported. Text that cannot be read is no game and follows the upload.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.http import HttpRequest, HttpResponse

from records.models import Ownership, Record, Submission, Upload, Visibility
from records.privacy import secret

_CONFIDENTIAL: Final = "hana_confidential"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: ``user`` is a primary key, None if not logged in; ``staff`` sees everything.
    ``upload`` is the primary key of one whose secret they have (`records.privacy.secret`).
    """

    user: int | None = None
    staff: bool = False
    upload: int | None = None


NOBODY: Final = Viewer()


def viewer_of(request: HttpRequest) -> Viewer:
    """The viewer of a page, by the session."""
    user = request.user
    return Viewer(user.pk, user.is_staff) if user.is_authenticated else NOBODY


def may_see(record: Record, viewer: Viewer) -> bool:
    """Whether a game may be shown: public and unlisted ones to all, private ones to an owner."""
    if record.visibility >= Visibility.UNLISTED or viewer.staff:
        return True
    return ownership_of(record.pk, viewer) is not None


def records_for(viewer: Viewer) -> Q:
    """The condition of `may_see` for a query of games."""
    if viewer.staff:
        return Q()
    shown = Q(visibility__gte=Visibility.UNLISTED)
    return shown | Q(pk__in=ownerships_of(viewer.user).values("record")) if viewer.user else shown


def ownership_of(record: int, viewer: Viewer) -> Ownership | None:
    """The viewer's own ownership of a game, unless it is withdrawn."""
    return ownerships_of(viewer.user).filter(record=record).first() if viewer.user else None


def owned(key: str, viewer: Viewer) -> Ownership | None:
    """The viewer's own ownership, with its record, of the game with this key, unless it is
    withdrawn.
    """
    if viewer.user is None or not key:
        return None
    mine = ownerships_of(viewer.user).select_related("record")
    mine = mine.defer("record__text", "record__verdict", "record__tags")
    return mine.filter(record__key=key.replace("\0", "")).first()


#: The submissions that belong to no account, or do not yet: their upload is claimed
#: (`records.store.claims`), and the games of their chunk are still nobody's.
OF_NOBODY: Final = Q(upload__owner=None) | Q(upload__claim__gt=F("chunk__follows"))


def sent_by_nobody(records: Iterable[int]) -> QuerySet[Submission]:
    """What was sent of games without an account and counts still: not what its sender, known by the
    secret of the upload, replaced by a later one.
    """
    later = Upload.objects.filter(
        secret=OuterRef("upload__secret"),
        replaces=OuterRef("record__key"),
        pk__gt=OuterRef("upload"),
    )
    found = Submission.objects.order_by().filter(OF_NOBODY, record__in=records)
    return found.exclude(Exists(later.exclude(secret="")))


def owned_by_secret(key: str, words: str) -> Ownership | None:
    """Nobody's ownership, with its record, of the game with this key, for who has the secret of an
    upload that brought it; None where the secret is wrong, or the game is withdrawn or replaced.
    """
    try:
        kept = secret.hashed(words)
    except ValueError:
        return None
    nobodys = Ownership.objects.filter(owner=None, record__key=key.replace("\0", ""))
    nobodys = nobodys.exclude(visibility=Visibility.WITHDRAWN).select_related("record")
    own = nobodys.defer("record__text", "record__verdict", "record__tags").first()
    if own is None or not kept:
        return None
    sent = sent_by_nobody([own.record_id]).filter(upload__owner=None)
    sent = sent.exclude(upload__visibility=Visibility.WITHDRAWN)
    return own if sent.filter(upload__secret=kept).exists() else None


def ownerships_of(user: int) -> QuerySet[Ownership]:
    """The ownerships of a user, except withdrawn ones."""
    return Ownership.objects.filter(owner=user).exclude(visibility=Visibility.WITHDRAWN)


def submissions_of(upload: Upload, viewer: Viewer) -> QuerySet[Any]:
    """The rows (`Submission`) of an upload that the viewer may see, each with ``is_shown``.

    If that is False, nothing but the place may be reported of the game.
    """
    found = Submission.objects.filter(upload=upload)
    if viewer.staff or is_sender(upload, viewer):
        return found.annotate(is_shown=Value(True))
    held = Ownership.objects.filter(owner=upload.owner_id, visibility__gte=Visibility.UNLISTED)
    held = held.filter(withdrawn_upload__lt=upload.pk)
    shown = Q(record=None) | Exists(held.filter(record=OuterRef("record")))
    return found.annotate(is_shown=ExpressionWrapper(shown, BooleanField()))


def may_quote(sent: Submission, replaced_by: Upload | None, viewer: Viewer) -> bool:
    """Return whether the history of a game may quote a submitted text of it to a viewer.

    ``replaced_by`` is the sender's upload whose game took the place of the text's game, or None.
    The sender and the staff see every text. For other viewers the text's upload must be visible
    now, and the sender's ownership must have been visible when the game was replaced
    (`Upload.former_since`); if nothing replaced it, the ownership must be visible now.

    Cached pages depend on the results through `records.store.corrections.state_of`. A transaction
    that changes a result calls `records.privacy.revisions.advance`.
    """
    if viewer.staff or is_sender(sent.upload, viewer):
        return True
    if sent.upload.visibility < Visibility.UNLISTED:
        return False
    if replaced_by is not None:
        since = replaced_by.former_since
        return since is not None and since < sent.upload_id
    held = Ownership.objects.filter(owner=sent.upload.owner_id, record=sent.record_id)
    return held.filter(
        visibility__gte=Visibility.UNLISTED, withdrawn_upload__lt=sent.upload_id
    ).exists()


def is_sender(upload: Upload, viewer: Viewer) -> bool:
    """Whether the upload is the viewer's own."""
    if viewer.user is not None and viewer.user == upload.owner_id:
        return True
    return viewer.upload is not None and viewer.upload == upload.pk


def uploads_for(viewer: Viewer) -> Q:
    """The condition of uploads whose report may be shown: private ones only to their owner."""
    if viewer.staff:
        return Q()
    shown = Q(visibility__gte=Visibility.UNLISTED)
    if viewer.user is not None:
        shown |= Q(owner=viewer.user)
    return shown | Q(pk=viewer.upload) if viewer.upload is not None else shown


def with_secret(viewer: Viewer, key: str, words: str) -> Viewer:
    """The viewer, who says the secret of the upload with this key; the same where it is wrong."""
    upload = Upload.objects.only("pk", "secret").filter(key=key, owner=None).first()
    if upload is None or not secret.opens(upload.secret, words):
        return viewer
    return replace(viewer, upload=upload.pk)


def visibility_named(name: str, viewer: Viewer) -> Visibility:
    """The visibility of an upload by its name, public for any other name.

    Private requires an account: nobody else could see the upload again.
    """
    named = {one.name.lower(): one for one in Visibility if one is not Visibility.WITHDRAWN}
    found = named.get(name, Visibility.PUBLIC)
    if found is Visibility.PRIVATE and viewer.user is None:
        return Visibility.UNLISTED
    return found


def mark(request: HttpRequest, visibility: int) -> None:
    """Record the visibility of an answer, so that the middleware keeps it out of caches and
    indexes.
    """
    before = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
    setattr(request, _CONFIDENTIAL, min(before, visibility))


def add_visibility_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Keep what only some may see out of shared caches, and what is not public out of indexes."""
    visibility = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
    if visibility < Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    if visibility < Visibility.UNLISTED:
        response["Cache-Control"] = "private, no-store"
