"""A game takes the place of another: that which a sender had before they corrected it.

In: an upload that ``replaces`` a game of its sender, and the game that was read from it. Out: the
former game is withdrawn by its sender, its note and collections pass to the new one, its address
redirects; comments of others and the steps that they keep pass on once nobody has it any more. Of
the same game in other words (comments in it, claims) the former ones no longer count.

What replaced what is said by uploads alone, so that an archive that is rebuilt knows of it. Others
who have the former game keep it, and it stays as visible as they want it.

A sender without an account replaces a game by the secret of its upload, and the new upload has the
same one. It shows which of the games without an owner are replaced
(`records.privacy.access.sent_by_nobody`).
"""

from __future__ import annotations

from django.db.models import Max

from records.models import Comment, Gone, Ownership, Record, StudyEntry, Upload, Visibility
from records.privacy.access import sent_by_nobody
from records.store.ownership import follow


def visible_since(upload: Upload, former: Record) -> int:
    """Return the value of `Upload.former_since` for an upload that replaces ``former``.

    Call it while ``former`` is locked and before its ownerships follow the upload.
    """
    held = Ownership.objects.filter(owner=upload.owner_id, record=former)
    visible = held.filter(visibility__gte=Visibility.UNLISTED)
    since: int | None = visible.values_list("withdrawn_upload", flat=True).first()
    return upload.pk if since is None else since


def take_place(upload: Upload, former: Record, since: int, fresh: Record) -> dict[int, int]:
    """Part of the transaction that stores ``fresh``, a game of an upload that replaces ``former``.

    Both are locked, and so is the upload. ``since`` is the result of `visible_since`. Returns what
    is to be counted for players, as `records.store.ownership.follow`. Nothing is replaced that the
    sender has not, or has withdrawn meanwhile.
    """
    held = Ownership.objects.filter(owner=upload.owner_id, record=former)
    own = held.exclude(visibility=Visibility.WITHDRAWN).first()
    if own is None:
        return {}
    if upload.owner_id is None and not upload.secret:  # of an account that is gone
        return {}
    # While the archive is rebuilt the first decision stays: what is visible by now is not meant.
    Upload.objects.filter(pk=upload.pk, former_since=None).update(former_since=since)
    if upload.owner_id is None:
        left = _left_by_others(upload, former)
        if left == own.visibility or (left and former.pk == fresh.pk):
            return {}
        if left:
            held.update(visibility=left)
            return follow([former], why=Gone.REPLACED)
    if former.pk == fresh.pk:
        held.update(withdrawn_upload=upload.pk - 1)
        return follow([former], why=Gone.REPLACED)
    successor = Ownership.objects.get(owner=upload.owner_id, record=fresh)
    if not successor.note:
        Ownership.objects.filter(pk=successor.pk).update(note=own.note)
    successor.collections.add(*own.collections.all())
    # Nobody's is of many senders: what another sent before may still be read.
    decided = {"decided_upload": upload.pk} if upload.owner_id is not None else {}
    held.update(
        visibility=Visibility.WITHDRAWN,
        withdrawn_upload=upload.pk,
        withdrawn_at=None,  # to undo an earlier withdrawal must not bring the former game back
        **decided,
    )
    counted = follow([former], why=Gone.REPLACED)
    if (
        not Ownership.objects.filter(record=former)
        .exclude(visibility=Visibility.WITHDRAWN)
        .exists()
    ):
        # Nobody has the former game any more: what others said and kept of it passes on too.
        for attached in (Comment, StudyEntry):
            attached.objects.filter(record=former).update(record=fresh)
    return counted


def _left_by_others(upload: Upload, former: Record) -> int:
    """How visible a game is for others who sent it without an account; 0 if there are none."""
    others = sent_by_nobody([former.pk]).exclude(upload__secret=upload.secret)
    found: int | None = others.aggregate(most=Max("upload__visibility"))["most"]
    return found or Visibility.WITHDRAWN
