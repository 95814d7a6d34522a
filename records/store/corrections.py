"""How a game was corrected, and what became of one that is no longer shown.

In: records, and the uploads that replaced one by another (`records.store.replacing`). Out: the
steps from text to text, as a viewer may see them, and the game at which an address leads on.
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple

from kafu.importers import read_piece
from kafu.notation.difference import Change, differences
from kafu.notation.writer import write
from records.models import Gone, Record, Submission, Upload, Visibility
from records.privacy.access import Viewer, is_sender, may_see
from records.store.pieces import piece_of
from records.store.pseudonyms import masked_as

#: How many corrections of one game are followed, and how many changes of each are listed.
LONGEST: Final = 20
MOST_CHANGES: Final = 50
#: Characters of a change on either side; of more the beginning is quoted.
QUOTED: Final = 400


class Correction(NamedTuple):
    """One correction: the key of the game that was replaced (its own, if only claims or comments
    were written otherwise), when, whether the viewer sent it, and what changed.

    ``changes`` is None where the former text is not the viewer's to see; ``is_cut`` says that there
    are more of them.
    """

    former: str
    when: datetime
    is_own: bool
    changes: list[Change] | None
    is_cut: bool


class GoneGame(NamedTuple):
    """A game that was to be seen once: why it is not, when it went, and the key of the game that
    stands in its place for this viewer, or "".
    """

    why: str
    when: datetime
    successor: str


def corrections(record: Record, viewer: Viewer) -> list[Correction]:
    """The corrections that led to a game, the newest first."""
    found: list[Correction] = []
    after, newest = record, None
    while len(found) < LONGEST:
        sent = Submission.objects.filter(record=after).exclude(upload__replaces="")
        if newest is not None:
            sent = sent.filter(upload__lt=newest)
        last = sent.select_related("upload", "file", "chunk").order_by("-upload").first()
        before = Record.objects.filter(key=last.upload.replaces).first() if last else None
        if last is None or before is None:
            break
        changes = _changes(before, after, last, viewer)
        found.append(
            Correction(
                former=before.key,
                when=last.upload.created,
                is_own=is_sender(last.upload, viewer),
                changes=changes and changes[:MOST_CHANGES],
                is_cut=changes is not None and len(changes) > MOST_CHANGES,
            )
        )
        after, newest = before, last.upload_id
    return found


def gone(key: str, viewer: Viewer) -> GoneGame | None:
    """What is to be said at the address of a game that the viewer cannot see; None if there never
    was one for others to see.
    """
    record = Record.objects.only("key", "gone", "gone_why", "visibility").filter(key=key).first()
    if record is None or record.gone is None:
        return None
    last = record
    seen = {key}
    while (after := _after(last.key)) is not None and after.key not in seen:
        if may_see(after, viewer):
            return GoneGame(Gone.REPLACED, record.gone, after.key)
        if after.gone is None or len(seen) > LONGEST:
            break
        seen.add(after.key)
        last = after
    assert last.gone is not None
    return GoneGame(last.gone_why, last.gone, "")


def _after(key: str) -> Record | None:
    """The game that took the place of that with this key."""
    uploads = Upload.objects.filter(replaces=key)
    sent = Submission.objects.filter(upload__in=uploads, record__isnull=False)
    last = sent.order_by("-upload").values_list("record", flat=True).first()
    found = Record.objects.only("key", "gone", "gone_why", "visibility")
    return found.filter(pk=last).first() if last is not None else None


def _changes(
    before: Record, after: Record, fresh: Submission, viewer: Viewer
) -> list[Change] | None:
    """What changed, up to one more than are listed; None if the former text may not be quoted."""
    sent = Submission.objects.filter(record=before, upload__owner=fresh.upload.owner_id)
    own = sent.filter(upload__secret=fresh.upload.secret)
    earlier = own.filter(upload__lt=fresh.upload_id).select_related("upload", "file", "chunk")
    former = earlier.order_by("-upload", "-pk").first()
    if former is None or before.gone_why == Gone.REMOVED:
        return None
    shown = min(former.upload.visibility, fresh.upload.visibility)
    if shown < Visibility.UNLISTED and not (viewer.staff or is_sender(fresh.upload, viewer)):
        return None
    texts = _text(former, before), _text(fresh, after)
    return [
        change._replace(before=change.before[:QUOTED], after=change.after[:QUOTED])
        for change in islice(differences(*texts), MOST_CHANGES + 1)
    ]


def _text(sent: Submission, record: Record) -> str:
    """The canonical text of what was sent of a record, with pseudonyms."""
    game = read_piece(piece_of(sent)).game
    return masked_as(record, write(game)) if game is not None else ""
