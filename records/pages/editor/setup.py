"""Context of the pages on which a game is written down: rulesets, options, first choices, texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.labels import described_visibilities
from records.models import Status
from records.pages.rulebook.book import RuleOption, find, house

#: The ruleset that is chosen by default.
_FIRST: Final = "koikoi"
#: An option about a yaku, such as ``goko-over``.
_PART: Final = re.compile(r"-[a-z]+$")
_RANGE: Final = re.compile(r"(\d+)…(\d+)")


def login_redirect(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the login page if only users may upload, else None."""
    if settings.ANONYMOUS_UPLOAD or request.user.is_authenticated:
        return None
    return redirect_to_login(request.get_full_path())


def setup_context(request: HttpRequest, data: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the templates for setup and saving; ``data`` is for the page's modules.

    The query may choose ``ruleset`` and ``house``.
    """
    rulesets = {ruleset["id"]: ruleset for ruleset in data["rulesets"]}
    chosen = request.GET.get("ruleset", "")
    chosen = chosen if chosen in rulesets else _FIRST
    return {
        "data": data,
        "chosen": chosen,
        "house": request.GET.get("house", ""),
        "houses": rulesets[chosen]["houses"],
        "statuses": Status.choices,
        "visibilities": described_visibilities(private=request.user.is_authenticated),
    }


def setup_data(*, sheets: bool = False) -> dict[str, Any]:
    """Return the data for the modules of the page; with ``sheets`` only rulesets with sheets."""
    return {
        "lang": labels.lang(),
        "rulesets": [
            {
                "id": ruleset.id,
                "name": labels.ruleset(ruleset.id),
                "seats": list(ruleset.seats),
                "hand": ruleset.hand,
                "field": ruleset.field,
                "dealer": labels.dealer_mark(ruleset.id),
                "units": labels.units(ruleset.id),
                "houses": [
                    {
                        "id": profile,
                        "name": house(ruleset.id, profile) if ruleset.houses else "",
                        "options": defaults_of(ruleset.id, profile),
                    }
                    for profile in ruleset.profiles
                ],
                "options": options_of(ruleset.id),
            }
            for ruleset in RULESETS.values()
            if ruleset.sheet or not sheets
        ],
        "words": {
            "seat": _("Player %(number)s"),
            "saved": _("Saved in this browser."),
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
            "delete": _("Delete this draft"),
            "sent": _("Saved in this browser and in your account."),
            "notSent": _("Saved in this browser, not in your account: %(reason)s"),
            "away": _("in your account"),
            "noFault": _("No problems so far."),
        },
    }


def options_of(rules: str) -> list[dict[str, Any]]:
    """Return the options of a ruleset except the house. Options with the same meaning form a group.

    ``values`` are words (``id``, and ``name`` if a word describes the value); a number has ``low``
    and ``high``.
    """
    page = find(rules)
    options = page.options if page else ()
    return [_group(option) for option in options if "profile" not in option.defaults]


def defaults_of(rules: str, profile: str) -> dict[str, str]:
    """Return the options of a house, with their defaults."""
    house = {"profile": profile} if "profile" in RULESETS[rules].options else {}
    return {**house, **RULESETS[rules].defaults(profile)}


def _group(option: RuleOption) -> dict[str, Any]:
    alone = len(option.defaults) == 1
    return {
        "note": option.about,
        "names": [{"id": id, "name": "" if alone else _name(id)} for id in option.defaults],
        **_values(option.values),
    }


def _name(id: str) -> str:
    """Return the name of an option; "" if only its note describes it."""
    yaku = id if id in YAKU else _PART.sub("", id)
    return labels.yaku(yaku) if yaku in YAKU else ""


def _values(values: Iterable[str]) -> dict[str, Any]:
    first, *_others = values = tuple(values)
    if match := _RANGE.fullmatch(first):
        return {"low": int(match[1]), "high": int(match[2])}
    words = {"yes": _("yes"), "no": _("no")}
    return {"values": [{"id": value, "name": words.get(value, "")} for value in values]}
