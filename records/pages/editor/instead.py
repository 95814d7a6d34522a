"""Replacement of the word at a fault by a legal alternative, or removal of the word."""

from __future__ import annotations

from django.utils.translation import gettext as _

from kafu.editing import changes
from kafu.editing.table_at import Walked, walk
from kafu.facade.errors import BadValue
from kafu.judging.position import REST, Option, position
from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.pages.correction import leave_out, put_in


def put_instead(walked: Walked, text: str, verification: Verification, instead: str) -> Walked:
    """Return the record with ``instead`` in the place of the fault.

    ``instead`` is the text of a legal alternative, or the word to be left out. ``verification`` is
    the verdict on ``text``. Raise BadValue for another ``instead`` or if the text has no fault.
    """
    error = verification.verdict.error
    place = position(walked.game) if error is not None else None
    if error is None or place is None:
        raise BadValue(_("There is nothing to replace."), code="no-fault")
    option = next((legal for legal in place.legal if legal.text == instead), None)
    if option is not None and (written := _put_action(walked, place.deal, place.step, option)):
        return written
    if option is not None:
        corrected = put_in(text, error.line, error.column, option)
    elif instead == place.omit:
        corrected = leave_out(text, error.line, error.column, instead)
    else:
        corrected = None
    game = read(corrected).game if corrected is not None else None
    if game is None:
        error_text = _("This could not be inserted: please edit the text yourself.")
        raise BadValue(error_text, code="no-fault")
    number = min(max(error.deal or 1, 1), len(game.months))
    return changes.with_claims(walk(game), game, number)


def _put_action(walked: Walked, deal: int, step: int, option: Option) -> Walked | None:
    """Return the record with an action after the step before the fault.

    Return None for an option other than an action, or if the new text could not be read.
    """
    if option.kind in ("month", "round") or walked.at(deal, step) is None:
        return None
    words = option.text
    if option.kind == "stock":
        words = f"/{words.rpartition('/')[2]}"
    elif option.kind == "say":
        words = f"={words.rpartition('=')[2]}"
    try:
        changed = changes.put(walked, deal, step, words.removesuffix(REST))
    except BadValue:
        return None
    return (
        changed if changes.is_open(changed) or read(write(changed.game)).game is not None else None
    )
