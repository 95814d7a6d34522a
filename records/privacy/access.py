"""Access of viewers to games and uploads: the same rules for pages, API and files.

- Public and unlisted ownerships of a game are visible to everybody, private ownerships to owners
  and to the circle with which an owner shared the game (`records.privacy.circles`). A viewer may
  see a game with at least one visible ownership.
- An upload is visible to everybody or to the owner alone, by the visibility of the upload.
- The report of an upload shows a game as uploaded if the upload and the sender's ownership of the
  game are visible. A game withdrawn or taken down stays hidden in the report, even after another
  upload of the game, except for the sender and the staff. For a hidden game the report contains
  only the place in the file.
- Unreadable text is not a game and is as visible as the upload.
- A secret proves the ownership of an upload without an account. The sender or the upload form
  chooses the secret, and the archive stores a hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Collection, Iterable
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
from records.privacy import circles

#: Letters and digits, long enough that a secret cannot be guessed.
SECRET_PATTERN: Final = re.compile("[A-Za-z0-9_-]{22,100}")
#: Cache-Control of responses that no cache and no browser may store.
NO_STORE: Final = "private, no-store"
_CONFIDENTIAL: Final = "hana_confidential"
#: The condition for submissions without an account. A submission of a claimed upload remains
#: anonymous until the claim reaches the submission's chunk (`records.services.claims`).
IS_ANONYMOUS: Final = Q(upload__owner=None) | Q(upload__claim__gt=F("chunk__follows"))


def new_secret() -> str:
    """Return a random secret of 22 characters (128 bits)."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """Return the hash of a secret, or "" for the empty string.

    Raise ValueError if the secret does not match `SECRET_PATTERN`.
    """
    if not secret:
        return ""
    if not SECRET_PATTERN.fullmatch(secret):
        raise ValueError("not a secret")
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(stored_hash: str, secret: str) -> bool:
    """Return whether a stored hash is the hash of a secret."""
    try:
        return bool(stored_hash) and secrets.compare_digest(stored_hash, hash_secret(secret))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Viewer:
    """The user or anonymous visitor who receives a response.

    ``user`` is a primary key, None if not logged in; ``staff`` sees everything. ``upload`` is the
    primary key of an upload with a secret known to the viewer.
    """

    user: int | None = None
    staff: bool = False
    upload: int | None = None


ANONYMOUS: Final = Viewer()


def viewer_of(request: HttpRequest) -> Viewer:
    """Return the viewer of a page, from the session."""
    user = request.user
    return Viewer(user.pk, user.is_staff) if user.is_authenticated else ANONYMOUS


def may_see(record: Record, viewer: Viewer) -> bool:
    """Return whether a viewer may see a game."""
    if record.visibility >= Visibility.UNLISTED or viewer.staff:
        return True
    return bool(shown_ownerships([record.pk], viewer))


def records_for(viewer: Viewer) -> Q:
    """Return the condition of `may_see` for a query of games."""
    if viewer.staff:
        return Q()
    visible = Q(visibility__gte=Visibility.UNLISTED)
    if viewer.user is not None:
        visible |= Q(pk__in=ownerships_of(viewer.user).values("record"))
        for shared in circles.find_shares(viewer.user):
            visible |= Q(pk__in=shared.filter(_is_shared()).values("record"))
    return visible


def shown_ownerships(records: Collection[int], viewer: Viewer) -> dict[int, Ownership]:
    """Return the ownership whose text a viewer sees of each private game, by game.

    It is the viewer's own, or that of a member of a common circle who shared the game. Games
    without such an ownership are missing.
    """
    if viewer.user is None:
        return {}
    own = ownerships_of(viewer.user).filter(record__in=records)
    shown = {ownership.record_id: ownership for ownership in own}
    for shares in circles.find_shares(viewer.user):
        shared = shares.filter(_is_shared(), record__in=set(records) - shown.keys())
        senders = dict(shared.values_list("record", "sender"))
        held = Ownership.objects.filter(record__in=senders, owner__in=set(senders.values()))
        shown |= {
            ownership.record_id: ownership
            for ownership in held
            if ownership.owner_id == senders[ownership.record_id]
        }
    return shown


def _is_shared() -> Exists:
    """Return the condition of shares whose sender still has the game."""
    held = Ownership.objects.filter(record=OuterRef("record"), owner=OuterRef("sender"))
    return Exists(held.exclude(visibility=Visibility.WITHDRAWN))


def ownership_of(record: int, viewer: Viewer) -> Ownership | None:
    """Return the viewer's ownership of a game, or None without an ownership or if withdrawn."""
    return ownerships_of(viewer.user).filter(record=record).first() if viewer.user else None


def find_ownership(key: str, viewer: Viewer, secret: str = "") -> Ownership | None:
    """Return the viewer's ownership of the game with a key, including the record.

    A viewer without an account proves the ownership by the secret of the upload. Return None if the
    viewer does not have the game, or withdrew the game.
    """
    if not key:
        return None
    if viewer.user is None:
        return _find_anonymous_ownership(key, secret)
    ownerships = _with_light_record(ownerships_of(viewer.user))
    return ownerships.filter(record__key=key.replace("\0", "")).first()


def _with_light_record(ownerships: QuerySet[Ownership]) -> QuerySet[Ownership]:
    """Select the records of ownerships too, without the large columns."""
    large = ("record__text", "record__verdict", "record__tags")
    return ownerships.select_related("record").defer(*large)


def sent_anonymously(records: Iterable[int]) -> QuerySet[Submission]:
    """Return the valid submissions of games sent without an account.

    A submission is invalid once a later upload with the same secret replaced the game.
    """
    later = Upload.objects.filter(
        secret=OuterRef("upload__secret"),
        replaces=OuterRef("record__key"),
        pk__gt=OuterRef("upload"),
    )
    submissions = Submission.objects.order_by().filter(IS_ANONYMOUS, record__in=records)
    return submissions.exclude(Exists(later.exclude(secret="")))


def _find_anonymous_ownership(key: str, secret: str) -> Ownership | None:
    """Return the anonymous ownership, including the record, of the game with a key.

    Return None unless the secret belongs to a valid upload of the game.
    """
    try:
        secret_hash = hash_secret(secret)
    except ValueError:
        return None
    ownerships = Ownership.objects.filter(owner=None, record__key=key.replace("\0", ""))
    ownerships = ownerships.exclude(visibility=Visibility.WITHDRAWN)
    ownership = _with_light_record(ownerships).first()
    if ownership is None or not secret_hash:
        return None
    sent = sent_anonymously([ownership.record_id]).filter(upload__owner=None)
    sent = sent.exclude(upload__visibility=Visibility.WITHDRAWN)
    return ownership if sent.filter(upload__secret=secret_hash).exists() else None


def ownerships_of(user: int) -> QuerySet[Ownership]:
    """Return the ownerships of a user, except withdrawn ones."""
    return Ownership.objects.filter(owner=user).exclude(visibility=Visibility.WITHDRAWN)


def submissions_of(upload: Upload, viewer: Viewer) -> QuerySet[Any]:
    """Return the submissions of an upload, each with ``is_shown``.

    If ``is_shown`` is False, only the place of the game in its file may be reported.
    """
    submissions = Submission.objects.filter(upload=upload)
    if viewer.staff or is_sender(upload, viewer):
        return submissions.annotate(is_shown=Value(True))
    held = Ownership.objects.filter(owner=upload.owner_id, visibility__gte=Visibility.UNLISTED)
    held = held.filter(withdrawn_upload__lt=upload.pk)
    shown = Q(record=None) | Exists(held.filter(record=OuterRef("record")))
    return submissions.annotate(is_shown=ExpressionWrapper(shown, BooleanField()))


def may_quote(sent: Submission, replaced_by: Upload | None, viewer: Viewer) -> bool:
    """Return whether the history of a game may quote a submitted text to a viewer.

    ``replaced_by`` is the sender's upload with the successor of the text's game, or None.
    The sender and the staff see every text. For other viewers the text's upload must be visible
    now, and the sender's ownership must have been visible when the game was replaced
    (`Upload.former_since`); if nothing replaced it, the ownership must be visible now.

    Cached pages depend on the results through `records.search.corrections.state_of`. A transaction
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
    """Return whether the viewer sent an upload."""
    if viewer.user is not None and viewer.user == upload.owner_id:
        return True
    return viewer.upload is not None and viewer.upload == upload.pk


def uploads_for(viewer: Viewer) -> Q:
    """Return the condition for uploads with a report visible to a viewer."""
    if viewer.staff:
        return Q()
    visible = Q(visibility__gte=Visibility.UNLISTED)
    if viewer.user is not None:
        visible |= Q(owner=viewer.user)
    return visible | Q(pk=viewer.upload) if viewer.upload is not None else visible


def with_secret(viewer: Viewer, key: str, secret: str) -> Viewer:
    """Return the viewer as the sender of the upload with a key, if the secret is right.

    Return the viewer unchanged if not.
    """
    upload = Upload.objects.only("pk", "secret").filter(key=key, owner=None).first()
    if upload is None or not matches(upload.secret, secret):
        return viewer
    return replace(viewer, upload=upload.pk)


def parse_visibility(name: str, viewer: Viewer) -> Visibility:
    """Return the visibility with a name, public by default.

    A viewer without an account gets unlisted instead of private, because nobody could see a private
    upload without an owner.
    """
    levels = {level.name.lower(): level for level in Visibility if level != Visibility.WITHDRAWN}
    visibility = levels.get(name, Visibility.PUBLIC)
    if visibility is Visibility.PRIVATE and viewer.user is None:
        return Visibility.UNLISTED
    return visibility


def mark(request: HttpRequest, visibility: int) -> None:
    """Note the visibility of a response's content, for `add_visibility_headers`."""
    before = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
    setattr(request, _CONFIDENTIAL, min(before, visibility))


def add_visibility_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Exclude private responses from shared caches, and unlisted pages from search engines."""
    visibility = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
    if visibility < Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    if visibility < Visibility.UNLISTED:
        response["Cache-Control"] = NO_STORE
