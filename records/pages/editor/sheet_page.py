"""The page on which a score sheet is written month by month."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.editor.page import corrected_record
from records.pages.editor.setup import login_redirect, setup_context, setup_data
from records.pages.editor.sheet_reopening import reopened_data
from records.pages.game.corrected import replaced_context
from records.pages.game.page import result_texts
from records.privacy.access import viewer_of
from records.privacy.circles import Circle
from records.wording.cards import card_data

#: The value of the form for the house rules of the circle.
OF_CLUB: Final = "club"
#: The number of fields for names.
MOST_PLAYERS: Final = 7


@dataclass(frozen=True, slots=True)
class HouseChoice:
    """A ruleset with the house rules of a preset: its value in the form, and its name."""

    value: str
    name: str

    @property
    def ruleset(self) -> str:
        """The id of the ruleset."""
        return self.value.partition("/")[0]


@gzip_page
def new_sheet(request: HttpRequest) -> HttpResponse:
    """Show the form: empty, or with a sheet of the archive to correct.

    The query chooses a ruleset (``ruleset``) or a sheet (``record``).
    """
    if answer := login_redirect(request):
        return answer
    data = setup_data() | card_data()
    for ruleset in data["rulesets"]:
        ruleset["fields"] = unit_names(ruleset["id"])
    if key := request.GET.get("record", "").replace("\0", ""):
        record = corrected_record(request, key)
        data["sheet"] = record and reopened_data(record, viewer_of(request))
        if data["sheet"] is None and "draft" not in request.GET:
            return redirect(f"{reverse('check')}?{urlencode({'record': key})}")
    data["words"] |= result_texts() | page_texts()
    context = setup_context(request, data) | replaced_context(request, key)
    context |= plain_context(request, context["circle"])
    return render(request, "records/sheet_form.html", context)


def plain_context(request: HttpRequest, circle: Circle | None) -> dict[str, Any]:
    """Return the context of the choice of rules and players without scripts."""
    names = [*request.GET.getlist("player"), *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    return {"circle": circle, "plain_houses": list(house_choices(circle)), "plain_names": names}


def house_choices(circle: Circle | None) -> Iterator[tuple[str, list[HouseChoice]]]:
    """Yield each ruleset: its name, and its house rules, those of a circle first."""
    for description in RULESETS.values():
        name = labels.ruleset(description.id)
        presets = []
        if circle is not None and description.id in circle.houses:
            rules = f"{labels.ruleset_brief(description.id)}: {circle.name}"
            presets.append(HouseChoice(f"{description.id}/{OF_CLUB}", rules))
        presets += [
            HouseChoice(
                f"{description.id}/{preset.id}",
                f"{labels.ruleset_brief(description.id)}: {preset.name.label(labels.lang())}",
            )
            for preset in description.presets
        ]
        yield name, presets or [HouseChoice(description.id, name)]


def unit_names(ruleset: str) -> dict[str, str]:
    """Return the units beside the fields of an amount; ``kan`` is "" for a ruleset without kan."""
    return {"kan": _("kan") if RULESETS[ruleset].kan else "", "rest": labels.small_unit(ruleset)}


def page_texts() -> dict[str, str]:
    """Return the texts that the module puts into the page."""
    return {
        "dealer": _("Dealer"),
        "grade": _("Field grade"),
        "playing": _("Who plays"),
        "mode": _("What you write down"),
        "yaku": _("Yaku by yaku"),
        "sums": _("Only each month's points"),
        "whose": _("Whose yaku?"),
        "dealt": _("Dealt-hand yaku"),
        "captured": _("Captured yaku"),
        "special": _("Special yaku"),
        "other": _("Other payments"),
        "paid": _("What was paid"),
        "gets": _("%(name)s gets, for %(yaku)s"),
        "values": _("Another value"),
        "payer": _("Who pays for %(yaku)s"),
        "everybody": _("all pay"),
        "alone": _("%(name)s alone"),
        "half": _("half (sage, cancelled)"),
        "void": _("struck out"),
        "remove": _("Remove %(yaku)s"),
        "points": _("Card points"),
        "counting": _("How card points are written"),
        "paidPoints": _("As they are paid"),
        "capturedPoints": _("As they were captured"),
        "remainder": _("The last player's are filled in."),
        "whole": _("The last player's are filled in: all cards count %(whole)s."),
        "monthHead": _("Month"),
        "monthName": _("Month %(number)s"),
        "monthCell": _("%(number)s."),
        "sign": _("%(name)s: pays (minus)"),
        "stone": _("Month stone: who deals next"),
        "next": _("Who deals next"),
        "nextMark": _("next"),
        "nextHint": _("“next” marks who deals next: who put the month stone in."),
        "nobody": _("nobody"),
        "nothing": _("Nothing was paid"),
        "barred": _("not with %(yaku)s"),
        "taken": _("%(name)s has it"),
        "takenBy": _("%(name)s has %(yaku)s"),
        "witness": _("Cards that would make this month"),
        "witnessNote": _("One deal of many: the sheet does not tell which cards were played."),
        "dealtTo": _("Dealt to %(name)s"),
        "capturedBy": _("Captured by %(name)s"),
        "field": _("Field"),
        "empty": _("Enter what was paid, or choose “Nothing was paid”."),
        "emptySums": _("Enter the points of this month. If nothing was paid, enter 0."),
        "lacking": _("The points of %(name)s are still missing."),
        "total": _("Total"),
        "final": _("Final"),
        "left": _("Left"),
        "in": _("%(month)s: %(message)s"),
        "gone": _("There is nothing to undo."),
        "unsaid": _("What this form cannot take over from the sheet"),
    }
