"""Settings of a club: name, description, visibility, house rules, and deleting."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs import clubs
from clubs.access import Access
from clubs.changes import stamp
from clubs.models import Role
from clubs.pages.forms import HouseForm, SettingsForm
from clubs.pages.view import club_view, render_club
from kafu.rules.rulesets import RULESETS
from records.base import labels


@club_view(Role.OFFICER)
def show_settings(request: HttpRequest, club: Access) -> HttpResponse:
    """Show and change the fields of the club; with ``?ruleset=`` the house rules of a ruleset.

    ``?preset=`` fills the house rules with those of a preset of the rules, to be saved then.
    """
    row, ruleset = club.club, request.GET.get("ruleset", "")
    if ruleset in RULESETS:
        return _show_houses(request, club, ruleset)
    form = SettingsForm.of(row, request.POST or None)

    def act(fields: Any) -> None:
        was = fields.pop("was")
        clubs.update(club, fields, was)

    if form.act(act, row):
        messages.success(request, _("Saved."))
        return redirect("club-settings", row.key)
    houses = [(id, labels.ruleset(id), id in row.houses) for id in RULESETS]
    return render_club(request, "settings", club, "settings", {"form": form, "houses": houses})


def _show_houses(request: HttpRequest, club: Access, ruleset: str) -> HttpResponse:
    row, description, lang = club.club, RULESETS[ruleset], labels.lang()
    presets = {preset.id: preset for preset in description.presets}
    chosen = presets.get(request.GET.get("preset", ""))
    stored = dict(word.split("=", 1) for word in row.houses.get(ruleset, "").split())
    options = dict(chosen.options) if chosen is not None else stored
    if "clear" in request.POST:
        clubs.update(club, {"houses": {**row.houses, ruleset: ""}})
        return redirect("club-settings", row.key)
    data = request.POST if "save" in request.POST else None
    form = HouseForm(ruleset, options, data, initial={"was": stamp(row)})
    houses: dict[str, str] = row.houses

    def act(fields: Any) -> None:
        clubs.update(club, {"houses": {**houses, ruleset: form.written}}, fields["was"])

    if form.act(act, row):
        messages.success(request, _("The house rules are saved."))
        return redirect("club-settings", row.key)
    context = {
        "form": form,
        "ruleset": labels.ruleset(ruleset),
        "presets": [
            (preset.id, preset.name.label(lang), preset.differs.label(lang))
            for preset in description.presets
        ],
        "chosen": chosen.id if chosen is not None else "",
        "is_set": ruleset in row.houses,
        "rules": reverse("rule-options", args=[ruleset]),
    }
    return render_club(request, "houses", club, "settings", context)


@club_view(Role.FOUNDER)
def delete(request: HttpRequest, club: Access) -> HttpResponse:
    """Ask whether to delete the club; by POST with its address delete it."""
    error = ""
    if request.method == "POST":
        if request.POST.get("key", "").strip() == club.club.key:
            clubs.delete(club)
            text = _("The club %(name)s is deleted.") % {"name": club.club.name}
            messages.success(request, text)
            return redirect("clubs")
        error = _("Enter the address of the club: %(key)s") % {"key": club.club.key}
    return render_club(request, "delete", club, "settings", {"error": error})
