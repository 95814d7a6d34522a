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
from records.models import Gone, Record, Submission, Upload
from records.privacy.access import NOBODY, Viewer, is_sender, may_quote, may_see
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


class _Step(NamedTuple):
    """A corrected text of a game (``after``), and the text whose place it took, as far as stored.

    ``is_quotable``: the viewer may see both texts.
    """

    fresh: Submission
    after: Record
    former: Submission | None
    before: Record
    is_quotable: bool


class GoneGame(NamedTuple):
    """A game that was to be seen once: why it is not, when it went, and the key of the game that
    stands in its place for this viewer, or "".
    """

    why: str
    when: datetime
    successor: str


def corrections(record: Record, viewer: Viewer) -> list[Correction]:
    """Return the corrections that led to a game, the newest first."""
    return [_described(step, viewer) for step in _steps(record, viewer)]


def state_of(key: str) -> tuple[object, ...]:
    """Return a value that changes whenever the corrections of a game change for the public.

    Texts in it depend on the pseudonyms of all players too.
    """
    record = Record.objects.only("key").filter(key=key).first()
    steps = _steps(record, NOBODY) if record is not None else []
    return tuple(
        (step.fresh.pk, step.former and step.former.pk, step.before.key, step.is_quotable)
        for step in steps
    )


def _steps(record: Record, viewer: Viewer) -> list[_Step]:
    """Return the steps that led to a game, the newest first.

    Each step is decided by itself. A correction that the viewer may not see is left out, unless its
    sender corrected it once more.
    """
    steps: list[_Step] = []
    after = record
    while len(steps) < LONGEST:
        newer = steps[-1] if steps else None
        fresh, is_shown = _correction(after, newer, viewer)
        if fresh is None:
            break
        before = Record.objects.only("key").filter(key=fresh.upload.replaces).first()
        if before is None:
            break
        former = _former(fresh, before)
        is_quotable = is_shown and former is not None and may_quote(former, fresh.upload, viewer)
        steps.append(_Step(fresh, after, former, before, is_quotable))
        after = before
    return steps


def _correction(
    record: Record, newer: _Step | None, viewer: Viewer
) -> tuple[Submission | None, bool]:
    """Return the newest correction that led to a game, and whether its text may be quoted."""
    sent = Submission.objects.filter(record=record, upload__former_since__isnull=False)
    if newer is not None:
        sent = sent.filter(upload__lt=newer.fresh.upload_id)
    for fresh in sent.select_related("upload", "file", "chunk").order_by("-upload_id")[:LONGEST]:
        replaced_by = newer.fresh.upload if newer and _is_replaced(fresh, newer) else None
        is_shown = may_quote(fresh, replaced_by, viewer)
        if is_shown or replaced_by is not None:
            return fresh, is_shown
    return None, False


def _is_replaced(fresh: Submission, newer: _Step) -> bool:
    """Return whether the sender of an earlier correction made the newer step too."""
    sender, later = _sender(fresh.upload), _sender(newer.fresh.upload)
    return fresh == newer.former or (sender == later and sender is not None)


def _sender(upload: Upload) -> int | str | None:
    """Return what identifies the sender of an upload; None for an account that is gone."""
    return upload.owner_id or upload.secret or None


def _former(fresh: Submission, before: Record) -> Submission | None:
    """Return the sender's last text of a game before they corrected it.

    None where an account is gone, and more than one text could be its.
    """
    sent = Submission.objects.filter(record=before, upload__owner=fresh.upload.owner_id)
    if fresh.upload.owner_id is None:
        sent = sent.filter(upload__secret=fresh.upload.secret)
    earlier = sent.filter(upload__lt=fresh.upload_id).select_related("upload", "file", "chunk")
    found = list(earlier.order_by("-upload_id", "-pk")[:2])
    if not found or (len(found) > 1 and _sender(fresh.upload) is None):
        return None
    return found[0]


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
    last = sent.order_by("-upload_id").values_list("record", flat=True).first()
    found = Record.objects.only("key", "gone", "gone_why", "visibility")
    return found.filter(pk=last).first() if last is not None else None


def _described(step: _Step, viewer: Viewer) -> Correction:
    changes = _changes(step)
    return Correction(
        former=step.before.key,
        when=step.fresh.upload.created,
        is_own=is_sender(step.fresh.upload, viewer),
        changes=changes and changes[:MOST_CHANGES],
        is_cut=changes is not None and len(changes) > MOST_CHANGES,
    )


def _changes(step: _Step) -> list[Change] | None:
    """Return what changed, at most one more than are listed; None if it may not be quoted."""
    if step.former is None or not step.is_quotable:
        return None
    texts = _text(step.former, step.before), _text(step.fresh, step.after)
    return [
        change._replace(before=change.before[:QUOTED], after=change.after[:QUOTED])
        for change in islice(differences(*texts), MOST_CHANGES + 1)
    ]


def _text(sent: Submission, record: Record) -> str:
    """The canonical text of what was sent of a record, with pseudonyms."""
    game = read_piece(piece_of(sent)).game
    return masked_as(record, write(game)) if game is not None else ""
