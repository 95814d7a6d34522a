"""Corrections: a game takes the place of another game of the same sender.

An upload with ``replaces`` names a game of the same sender. When the new game is stored, the former
game is withdrawn for the sender; note and collections move to the new game, and the former address
redirects to the new address. Other owners keep the former game. Comments and bookmarks of other
users move when the former game has no owner left. If both texts are the same game with different
comments or claims, the former texts no longer count.

The relation is stored in uploads only, to survive a rebuild of the archive.

A sender without an account corrects a game by the secret of the former upload, and the new upload
gets the same secret (`records.privacy.access.sent_anonymously`).
"""

from __future__ import annotations

from django.db.models import Max

from records.ingest.ownership import follow
from records.models import Comment, Gone, Ownership, Record, StudyEntry, Upload, Visibility
from records.privacy.access import sent_anonymously


def visible_since(upload: Upload, former: Record) -> int:
    """Return the value of `Upload.former_since` for an upload that replaces ``former``.

    Call while ``former`` is locked and before the ownerships of ``former`` follow the upload.
    """
    held = Ownership.objects.filter(owner=upload.owner_id, record=former)
    visible = held.filter(visibility__gte=Visibility.UNLISTED)
    since: int | None = visible.values_list("withdrawn_upload", flat=True).first()
    return upload.pk if since is None else since


def take_place(upload: Upload, former: Record, since: int, fresh: Record) -> dict[int, int]:
    """Let ``fresh``, a game of an upload, take the place of ``former``.

    Call in the transaction that stores ``fresh``, with both games and the upload locked.
    ``since`` is the result of `visible_since`. Return player counts like
    `records.ingest.ownership.follow`. Do nothing if the sender does not have the former game.
    """
    held = Ownership.objects.filter(owner=upload.owner_id, record=former)
    ownership = held.exclude(visibility=Visibility.WITHDRAWN).first()
    if ownership is None:
        return {}
    if upload.owner_id is None and not upload.secret:  # The account was deleted.
        return {}
    # A rebuild must not overwrite the first value, which depends on the visibility at the time of
    # upload.
    Upload.objects.filter(pk=upload.pk, former_since=None).update(former_since=since)
    if upload.owner_id is None:
        visibility = _visibility_by_others(upload, former)
        if visibility:
            if former.pk != fresh.pk:
                held.update(visibility=visibility)
            return follow([former], why=Gone.REPLACED)
    if former.pk == fresh.pk:
        held.update(withdrawn_upload=upload.pk - 1)
        return follow([former], why=Gone.REPLACED)
    successor = Ownership.objects.get(owner=upload.owner_id, record=fresh)
    if not successor.note:
        Ownership.objects.filter(pk=successor.pk).update(note=ownership.note)
    successor.collections.add(*ownership.collections.all())
    # The anonymous ownership is shared: earlier uploads of different senders still count.
    decided = {"decided_upload": upload.pk} if upload.owner_id is not None else {}
    held.update(
        visibility=Visibility.WITHDRAWN,
        withdrawn_upload=upload.pk,
        withdrawn_at=None,  # The sender must not be able to restore the former game.
        **decided,
    )
    player_counts = follow([former], why=Gone.REPLACED)
    ownerships = Ownership.objects.filter(record=former)
    if not ownerships.exclude(visibility=Visibility.WITHDRAWN).exists():
        for model in (Comment, StudyEntry):
            model.objects.filter(record=former).update(record=fresh)
    return player_counts


def _visibility_by_others(upload: Upload, former: Record) -> int:
    """Return the visibility of a game by other anonymous senders, or 0 if there are none."""
    submissions = sent_anonymously([former.pk]).exclude(upload__secret=upload.secret)
    most: int | None = submissions.aggregate(most=Max("upload__visibility"))["most"]
    return most or Visibility.WITHDRAWN
