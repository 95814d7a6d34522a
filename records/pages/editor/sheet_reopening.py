"""Score sheets of the archive reopened in the form, from stored entries or from payments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu.editing.sheet_forms import MonthWanted, WrittenSheet, reopen, write_sheet
from kafu.facade.errors import Error
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import read
from records.base import labels
from records.ingest.sheet_entries import months_of
from records.models import Record, Submission
from records.privacy.access import Viewer, may_quote
from records.services.sheet_editing import grade_name
from records.wording.steps import scores

#: Tags with a field in the form, and tags that the form writes by itself.
_TAGS: Final = ("Date", "Event", "Site", "Round")
_FOLLOW: Final = ("Sheet", "Termination")
#: Maximum number of stored entries of a game that are tried, the newest first.
_MAX_ENTRIES: Final = 3


def reopened_data(record: Record, viewer: Viewer) -> dict[str, Any] | None:
    """Return the state of the form for a sheet, with a list of omitted parts.

    Stored entries are used if they write exactly the text visible to the viewer. Return None for
    other games, and for unknown rules or houses.
    """
    game = read(record.text).game
    if game is None or not game.is_sheet:
        return None
    left_out: list[tuple[int, str]] = []
    form = _find_entered(game, record, viewer)
    if form is None:
        try:
            months = reopen(game)
            form = months, _write(game, months)
        except Error:
            return None
        left_out = list(_left_out(game, form[1]))
        if not left_out and form[1].text != record.text:
            words = _("The form writes sums, the result, and the order of payments by itself.")
            left_out = [(0, words)]
    months, written = form
    wrong = [fault.number for fault in written.faults]
    return {
        "ruleset": game.rules,
        "players": list(game.players),
        "options": dict(game.options),
        "tags": _tags(game),
        "months": [asdict(month) for month in months or [MonthWanted()]],
        "at": min((number for number in [*wrong, *dict(left_out)] if number), default=1),
        "unsaid": [message for _number, message in left_out],
    }


def _find_entered(
    game: Game, record: Record, viewer: Viewer
) -> tuple[list[MonthWanted], WrittenSheet] | None:
    """Return the stored months that write exactly the sheet's text, and the sheet; else None."""
    sent = Submission.objects.filter(record=record.pk, file__entries__isnull=False)
    for submission in sent.select_related("upload", "file").order_by("-pk")[:_MAX_ENTRIES]:
        entries = submission.file.entries
        if entries is None or not may_quote(submission, None, viewer):
            continue
        months = months_of(entries)
        with suppress(Error):
            written = _write(game, months)
            if written.text == record.text:
                return months, written
    return None


def _tags(game: Game) -> dict[str, str]:
    return {name: value for name, value in game.tags.items() if name in _TAGS}


def _write(game: Game, months: Sequence[MonthWanted]) -> WrittenSheet:
    return write_sheet(game.rules, game.players, game.options, months, tags=_tags(game))


def _left_out(game: Game, written: WrittenSheet) -> Iterator[tuple[int, str]]:
    """Yield the differences between form and sheet, each with the number of the month, or 0."""
    for name in game.tags:
        if name not in (*_TAGS, *_FOLLOW):
            values = {"name": name}
            yield 0, _("The form has no field for the tag “%(name)s”: it is left out.") % values
    if game.notes:
        yield 0, _("Comments are left out.")
    names = labels.people(game.players)
    for number, (month, entered) in enumerate(zip(game.months, written.months, strict=False), 1):
        before = Counter(_statements(month, names, game.rules))
        after = Counter(_statements(entered.month, names, game.rules))
        messages = [
            text % {"lines": labels.listed(lines.elements())}
            for text, lines in (
                (_("Not in the form: %(lines)s."), before - after),
                (_("Only in the form: %(lines)s."), after - before),
            )
            if lines
        ]
        if month.notes:
            messages.append(_("Comments are left out."))
        for message in messages:
            values = {"month": labels.month(month.month), "message": message}
            yield number, _("%(month)s: %(message)s") % values


def _statements(month: Month, names: Sequence[str], ruleset: str) -> Iterator[str]:
    """Yield the statements of a sheet's month in words."""
    yield labels.month(month.month)
    yield f"{_('Dealer')}: {names[month.dealer - 1]}"
    if month.ba:
        yield f"{_('Field grade')}: {grade_name(month.ba)}"
    if month.stone:
        yield f"{_('Who deals next')}: {names[month.stone - 1]}"
    for line in month.payments:
        yaku = "+".join(labels.yaku(label) for label in sorted(line.label.split("+")))
        paid = scores(line.amounts, names, units=labels.units(ruleset)) or "0"
        text = _("%(yaku)s (%(scores)s)") % {"yaku": yaku, "scores": paid}
        yield f"{_('struck out')}: {text}" if line.void else text
