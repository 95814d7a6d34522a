"""What the pages on which a game is written down know of the rulesets, and where they begin."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.labels import described_visibilities
from records.models import Status
from records.pages.editor.options import house_rules

#: The ruleset that is chosen where nobody chose one.
_FIRST: Final = "koikoi"


def refused(request: HttpRequest) -> HttpResponse | None:
    """The way to the log-in, where only who is logged in may upload."""
    if settings.ANONYMOUS_UPLOAD or request.user.is_authenticated:
        return None
    return redirect_to_login(request.get_full_path())


def setup_context(request: HttpRequest, data: dict[str, Any]) -> dict[str, Any]:
    """What the templates of setup and saving need; ``data`` is for the modules of the page.

    The address may choose ``ruleset``; without it the browser chooses that of the last game.
    """
    rulesets = {rules["id"] for rules in data["rulesets"]}
    chosen = request.GET.get("ruleset", "")
    return {
        "data": data,
        "chosen": chosen if chosen in rulesets else _FIRST,
        "statuses": Status.choices,
        "visibilities": described_visibilities(private=request.user.is_authenticated),
    }


def setup_data(*, sheets: bool = False) -> dict[str, Any]:
    """What the modules of such a page need to know; of ``sheets``, the rulesets that have them."""
    return {
        "lang": labels.lang(),
        "rulesets": [
            {
                "id": one.id,
                "name": labels.ruleset(one.id),
                "seats": list(one.seats),
                "hand": one.hand,
                "field": one.field,
                "dealer": labels.dealer_mark(one.id),
                "units": labels.units(one.id),
                **house_rules(one),
            }
            for one in RULESETS.values()
            if one.sheet or not sheets
        ],
        "words": {
            "seat": _("Player %(number)s"),
            "saved": _("Kept in this browser."),
            "full": _("This browser has no room left: what you write now is not kept."),
            "forbidden": _(
                "This browser keeps no drafts: what you write is lost when this tab is closed."
            ),
            "strange": _("This draft was kept by another version of this page and can't be shown."),
            "elsewhere": _(
                "This draft was changed in another tab; this one has the newer text now."
            ),
            "offline": _("The server does not answer. Your text is kept; try again."),
            "late": _("Too many requests: try again in a moment."),
            "default": _("These rules: %(value)s"),
            "changed": _("%(count)s changed"),
            "rule": _("About this rule: %(rule)s"),
            "last": _("As last time"),
            "delete": _("Delete this draft"),
            "sent": _("Kept in this browser and in your account."),
            "notSent": _("Kept in this browser, not in your account: %(reason)s"),
            "away": _("in your account"),
            "noFault": _("No problems so far."),
        },
    }
