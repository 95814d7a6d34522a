"""A score sheet that was written, as the form of it: what its module begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from kafu.editing.sheet_months import MonthWanted
from kafu.editing.sheet_reopened import ReopenedSheet, Unsaid, reopen
from kafu.facade.errors import Error
from kafu.notation.game import Game, Payment
from kafu.notation.reading.reader import read
from records.base import labels
from records.pages.editor.sheet_answer import grade_name
from records.pages.game.payments import scores


def reopened_data(text: str) -> dict[str, Any] | None:
    """The state of the form that writes this sheet, with what it cannot say in words; None for
    what no form can be made of: no score sheet, rules or a house that are not known.
    """
    game = read(text).game
    if game is None or not game.is_sheet:
        return None
    try:
        found = reopen(game)
    except Error:
        return None
    return {
        "ruleset": found.rules,
        "players": list(found.players),
        "options": found.options,
        "tags": found.tags,
        "months": [_month(one) for one in found.months] or [_month(MonthWanted())],
        "at": found.at,
        "unsaid": _unsaid(found, game),
    }


def _month(wanted: MonthWanted) -> dict[str, Any]:
    """A month as the module holds it (`blank` in sheets.js)."""
    short = any(wanted.sums)
    return {
        "dealer": wanted.dealer,
        "ba": wanted.ba,
        # With sums there are only lines which say that nothing was paid.
        "lines": [one._asdict() | {"gain": one.gain or "", "marks": short} for one in wanted.lines],
        "points": list(wanted.points),
        "captured": [],
        "sums": list(wanted.sums),
        "stone": wanted.stone,
        "out": list(wanted.out),
        "nothing": wanted.nothing,
        "short": short,
        "counted": False,
    }


def _unsaid(found: ReopenedSheet, game: Game) -> list[str]:
    """What the form cannot say, in words, each with its month."""
    names = [labels.person(name) for name in found.players]
    messages = []
    for one in found.unsaid:
        text = _words(one, names, game.rules)
        if one.number:
            month = labels.month(game.months[one.number - 1].month)
            text = _("%(month)s: %(message)s") % {"month": month, "message": text}
        messages.append(text)
    return messages


def _words(one: Unsaid, names: Sequence[str], rules: str) -> str:
    match one.what:
        case "tag":
            values = {"name": one.value}
            return _("The form has no field for the tag “%(name)s”: it is left out.") % values
        case "comments":
            return _("Comments are left out.")
        case "payments":
            return _payments(one, names, rules)
        case "ba":
            values = {"grade": grade_name(one.value) if one.value else "–"}
            return _("The field grade in the form is %(grade)s.") % values
        case "number":
            values = {"month": labels.month(int(one.value))}
            return _("In the form it is %(month)s.") % values
    name = names[int(one.value) - 1] if one.value else "–"
    if one.what == "dealer":
        return _("In the form %(name)s deals.") % {"name": name}
    return _("Who deals next, in the form: %(name)s.") % {"name": name}


def _payments(one: Unsaid, names: Sequence[str], rules: str) -> str:
    units = labels.units(rules)

    def listed(payments: Sequence[Payment]) -> str:
        return labels.listed(
            [
                _("%(yaku)s (%(scores)s)")
                % {
                    "yaku": labels.yaku(line.label),
                    "scores": scores(line.amounts, names, units=units) or "0",
                }
                for line in payments
            ]
        )

    if not one.added:
        return _("The form has no place for: %(lines)s.") % {"lines": listed(one.missing)}
    if not one.missing:
        return _("The form adds, as the rules say: %(lines)s.") % {"lines": listed(one.added)}
    return _("The form has no place for: %(lines)s. It has instead: %(added)s.") % {
        "lines": listed(one.missing),
        "added": listed(one.added),
    }
