"""Context of the pages on which a game is written down: rulesets, options, first choices, texts."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.labels import described_visibilities
from records.models import Status, Visibility
from records.pages.editor.options import describe_house_rules
from records.privacy.access import viewer_of
from records.privacy.circles import Circle, find_circle

#: The ruleset that is chosen by default.
_FIRST: Final = "koikoi"


def login_redirect(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the login page if only users may upload, else None."""
    if settings.ANONYMOUS_UPLOAD or request.user.is_authenticated:
        return None
    return redirect_to_login(request.get_full_path())


def setup_context(request: HttpRequest, data: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the templates for setup and saving; ``data`` is for the page's modules.

    The address may choose ``ruleset``; without it the browser chooses that of the last game. With
    ``club`` the game is for a club of the viewer, whose house rules and names are offered.
    """
    circle = circle_of(request)
    if circle is not None:
        data["club"] = {
            "key": circle.key,
            "houses": circle.houses,
            "names": circle.list_names(),
            "rules": _("House rules of %(name)s") % {"name": circle.name},
        }
    rulesets = {ruleset["id"] for ruleset in data["rulesets"]}
    chosen = request.GET.get("ruleset", "")
    return {
        "data": data,
        "chosen": chosen if chosen in rulesets else _FIRST,
        "statuses": Status.choices,
    } | saving_context(request, circle)


def circle_of(request: HttpRequest) -> Circle | None:
    """Return the circle of the parameter ``club`` of a page or form, None unless a member."""
    parameters = request.POST if request.method == "POST" else request.GET
    return find_circle(parameters.get("club", ""), viewer_of(request).user)


def saving_context(request: HttpRequest, circle: Circle | None) -> dict[str, Any]:
    """Return the context of the choice of a visibility, for games of a circle or of nobody."""
    level = {} if circle is None else {"level": Visibility(circle.visibility).id}
    return level | {
        "circle": circle,
        "visibilities": described_visibilities(
            private=request.user.is_authenticated, shared=circle is not None
        ),
    }


def setup_data() -> dict[str, Any]:
    """Return the data for the modules of the page."""
    return {
        "lang": labels.lang(),
        "rulesets": [
            {
                "id": description.id,
                "name": labels.ruleset(description.id),
                "seats": list(description.seats),
                "hand": description.hand,
                "field": description.field,
                "round": description.round,
                "dealer": labels.dealer_mark(description.id),
                "units": labels.units(description.id),
                "finalUnit": description.final_unit,
                **describe_house_rules(description),
            }
            for description in RULESETS.values()
        ],
        "words": {
            "seat": _("Player %(number)s"),
            "saved": _("Draft kept in this browser."),
            "full": _("The storage of this browser is full: new changes are not saved."),
            "forbidden": _(
                "This browser stores no drafts: your text is lost when you close this tab."
            ),
            "strange": _(
                "This draft was saved by another version of this page and cannot be shown."
            ),
            "elsewhere": _(
                "This draft was changed in another tab; this tab now shows the newer text."
            ),
            "offline": _("The server does not respond. Your text is saved; try again."),
            "late": _("Too many requests: try again in a moment."),
            "default": _("These rules: %(value)s"),
            "changed": _("%(count)s changed"),
            "rule": _("About this rule: %(rule)s"),
            "last": _("As last time"),
            "delete": _("Delete this draft"),
            "sent": _("Draft kept in this browser and in your account."),
            "notSent": _("Draft kept in this browser, not in your account: %(reason)s"),
            "away": _("in your account"),
            "noFault": _("No problems so far."),
        },
    }
