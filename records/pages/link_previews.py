"""Previews of links to pages on other sites: the tags in the head of every page.

A view passes the `records.wording.previews.LinkPreview` of its page as ``preview``. Other pages
have `default_preview`: a sentence and a picture of the kind of page, by the name of the address.
The pictures are drawn by `records.pages.previews`, the tags written by
`records.templatetags.social`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.release import absolute
from records.wording.previews import LinkPreview, picture_path

#: Descriptions of pages by the name of the address. Pages without an entry, such as account pages,
#: have the description of the home page.
DESCRIPTIONS: Final[Mapping[str, Promise]] = {
    "home": _("Watch hanafuda games card by card, write your own games down, and learn the rules."),
    "games": _("Hanafuda games to watch card by card. Look for players, rules and yaku."),
    "players": _("The players of the archive with their results, opponents and yaku."),
    "statistics-home": _("What happens in real hanafuda games: dealers, koi-koi, yaku and cards."),
    "insights": _("Ask your own question: choose games and a figure, and see a table and a chart."),
    "bests": _("The highest scores, the rarest yaku and the longest runs of the archive."),
    "problems": _("A hanafuda problem a day: choose a card, and see what each action is worth."),
    "cards": _("The 48 cards of hanafuda by month, with their names, kinds and points."),
    "rules": _("How to play koi-koi, hachi-hachi, hana-awase and other hanafuda games."),
    "rulebook": _("%(ruleset)s: how it is played, its yaku, scores and house rules."),
    "rule-options": _("%(ruleset)s: the rules that can be chosen, with their usual values."),
    "poster": _("%(ruleset)s: all yaku with their cards and values on one page."),
    "learn": _("Learn hanafuda: lessons with cards to tap, rules, yaku and the words of the game."),
    "lesson": _("%(ruleset)s for beginners: six screens with cards to tap, and a first month."),
    "glossary": _("Thirty words of hanafuda, how they are read, and what they mean."),
    "odds": _("%(ruleset)s: the exact odds of each dealt hand."),
    "notation": _("Kafu writes hanafuda games as text that people and programs can read."),
    "crib": _("Kafu on one page to print: the letters of the cards, and how turns are written."),
    "programs": _("How a program sends its hanafuda games to the archive, and reads others."),
    "data": _("All public hanafuda games as files to download, anew every month."),
    "notebook": _("A notebook that reads the open data and draws its first charts."),
    "docs": _("How programs read games, statistics and odds: the reference of the API."),
    "upload": _(
        "Add your games: logs of apps, notebooks or Kafu. Each game is replayed and checked."
    ),
    "check": _("Paste a game and see whether its moves and points are right."),
    "new-record": _("Write a hanafuda game down card by card, and share it by a link."),
    "new-sheet": _("Keep the score of twelve months on a sheet. The archive does the sums."),
    "studies": _("Steps of games that people collected, with notes and branches."),
}


def default_preview(request: HttpRequest | None) -> LinkPreview:
    """Return the preview of a page by the name of its address, and by its ruleset if it has one."""
    match = request.resolver_match if request else None
    name = match.url_name if match and match.url_name in DESCRIPTIONS else "home"
    ruleset = match.kwargs.get("ruleset", "") if match else ""
    ruleset = ruleset if ruleset in RULESETS else ""
    text = describe(name or "home", ruleset)
    url = ""
    if request and match and match.url_name == name:
        query = request.GET.urlencode()
        url = absolute(request.path) + (f"?{query}" if query else "")
    image = picture_path("page-preview", name, **({"ruleset": ruleset} if ruleset else {}))
    return LinkPreview(text, image, text, url)


def describe(name: str, ruleset: str) -> str:
    """Return the description of a kind of page. ``ruleset`` is empty for a page of no ruleset."""
    return str(DESCRIPTIONS[name]) % {"ruleset": labels.ruleset(ruleset) if ruleset else ""}
