"""Errors of the library about a request of the editors, in the language of the request."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from kafu.facade.errors import NAMED, Error
from records.base import labels

#: Sentences by error code. The messages of unknown names and faults are translated already.
_SENTENCES: Final = {
    "bad-step": gettext_noop("“%(found)s” is not the address of a step."),
    "no-step": gettext_noop("The game has no step %(at)s."),
    "not-written": gettext_noop("Step %(at)s is not written in the record."),
    "no-deal": gettext_noop("There is no deal %(deal)s."),
    "not-due": gettext_noop("Deal %(deal)s cannot be dealt yet."),
    "no-seat": gettext_noop("There are %(seats)s seats."),
    "unknown-card": gettext_noop("No card has the letter “%(found)s”."),
    "no-action": gettext_noop("“%(found)s” is not an action."),
    "no-play": gettext_noop("No card from a hand was played before this card."),
    "turned": gettext_noop("The card of this turn is turned already."),
    "wrong-players": gettext_noop("%(ruleset)s is not for %(found)s players."),
    "unknown-option": gettext_noop("%(ruleset)s has no option “%(option)s”."),
    "bad-option": gettext_noop("Option “%(option)s” of %(ruleset)s cannot be “%(found)s”."),
    "no-month": gettext_noop("The sheet has %(months)s months, and no month %(month)s."),
    "no-sheet": gettext_noop("%(ruleset)s has no score sheets."),
    "no-grade": gettext_noop("“%(found)s” is not a field grade."),
    "few-play": gettext_noop("%(count)s players play a month."),
    "no-label": gettext_noop("“%(found)s” cannot be paid for here."),
    "own-payer": gettext_noop("Nobody pays for their own yaku."),
}


def refusal(error: Error) -> str:
    """Return an error as a sentence, with the expected values."""
    sentence = _SENTENCES.get(error.code)
    if sentence is None:
        return str(error)
    values = dict(error.values)
    if "ruleset" in values:
        values["ruleset"] = labels.ruleset(str(values["ruleset"]))
    message = _(sentence) % values
    if not error.expected:
        return message
    more = ["…"] if len(error.expected) > NAMED else []
    names = labels.listed([*(value or "''" for value in error.expected[:NAMED]), *more])
    return _("%(message)s Expected: %(names)s.") % {"message": message, "names": names}
