"""Something else in the place of a fault: one of the legal alternatives, or nothing."""

from __future__ import annotations

from django.utils.translation import gettext as _

from kafu.editing import changes
from kafu.editing.walked import Walked, walk
from kafu.facade.errors import BadValue
from kafu.judging.options import REST, Option
from kafu.judging.position import position
from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.pages.correction import leave_out, put_in


def put_instead(walked: Walked, text: str, verification: Verification, instead: str) -> Walked:
    """The record with ``instead`` where it breaks the rules: the text of an alternative, or what is
    to be left out.

    ``verification`` is that of ``text``. Raises BadValue where nothing like that can be put there.
    """
    error = verification.verdict.error
    place = position(walked.game) if error is not None else None
    if error is None or place is None:
        raise BadValue(_("There is nothing to replace."), code="no-fault")
    option = next((one for one in place.legal if one.text == instead), None)
    if option is not None and (written := _written(walked, place.deal, place.step, option)):
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


def _written(walked: Walked, deal: int, step: int, option: Option) -> Walked | None:
    """The record with an action behind the step before the fault; None for what is no action, and
    where the text then could not be read.
    """
    if option.kind in ("month", "round") or walked.at(deal, step) is None:
        return None
    words = option.text
    if option.kind == "stock":
        words = f"/{words.rpartition('/')[2]}"
    elif option.kind == "say":
        words = f"={words.rpartition('=')[2]}"
    try:
        found = changes.put(walked, deal, step, words.removesuffix(REST))
    except BadValue:
        return None
    return found if changes.is_open(found) or read(write(found.game)).game is not None else None
