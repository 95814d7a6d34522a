"""The rulings on こいこい in a sentence or two each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.rules.koikoi.profiles import Profile
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_HOUSE: Final = Profile("koikoi")

RULINGS: Final[Mapping[str, Text]] = {
    "K1": _(
        "January's dealer: the later month of two drawn cards is kari-biki, the other kari-dō. "
        "Each then has half of the field: the higher sum of last digits deals (months 10 to 12 "
        "count 0), then the higher sum of months, then the best single card, then its earlier "
        "month. A record may leave both out."
    ),
    "K2": _(
        "The winner deals next. After a month that nobody won the dealer changes; in January "
        "before any card is played kari-dō changes."
    ),
    "K3": _(
        "A shown dealt hand ends the month at once; two shown hands settle for the "
        "difference. A four of a month on the field is a nagare only if no hand is "
        "shown."
    ),
    "K4": _(
        "A dealt hand is named by how many cards of each month it holds; teshi is "
        "any hand with a four that has no name of its own."
    ),
    "K5": _(
        "Yaku are judged at the end of the turn. Of the bright yaku only the best "
        "counts, ōtori replaces kotori, and teppō replaces hanami-zake and "
        "tsukimi-zake; all else adds up, also where cards are shared."
    ),
    "K6": _(
        "The sake cup is an animal and dregs at once. Ten dregs with it score, but "
        "give no right to declare."
    ),
    "K7": _(
        "Any captured willow card voids the sake yaku, unless pine with crane is captured too."
    ),
    "K8": _(
        "A yaku must be new or have grown in this very turn. A sake yaku gives the "
        "right only in the turn of its last card, and only if it was valid both "
        "then and at the end of the turn."
    ),
    "K9": _(
        "In a month played again, a total under %(floor)d mon gives no right; the total counts "
        "every valid yaku.",
        floor=_HOUSE.floor,
    ),
    "K10": _(
        "Without the right no decision is written. Koi-koi is possible on the last "
        "card too, and nothing is ever multiplied."
    ),
    "K11": _(
        "Hands played out without shōbu are a nagare, whatever yaku were made: no "
        "score, and the month again."
    ),
    "K12": _(
        "Kobiki is a line of the season's third month and part of its score; ōbiki is not played."
    ),
    "K13": _(
        "A tie after the last month, kobiki counted, adds a season, and again until it is settled."
    ),
    "K14": _("The prize goes to the winner alone, and no one pays it."),
    "K15": _(
        "A house is a table of data: its yaku and values, its deal, what is added "
        "or doubled, and how its game ends. An option overrides one entry of it."
    ),
    "K16": _(
        "The four cards of the month that is played are a yaku where the option tsukifuda "
        "gives them a value. After twelve months the pack begins anew. Rain does not touch it."
    ),
    "K17": _(
        "With calls=multiply the total of captured yaku counts as often as koi-koi was said in "
        "the month by either player, and once more. A high total is doubled for what it was before."
    ),
    "K18": _(
        "With first-to the game ends with the month after which a player has that sum, at the "
        "latest after its months. What is more than the sum counts too."
    ),
    "K19": _(
        "With exhausted=higher the player whose yaku are worth more wins a month whose hands "
        "are played out, as after shōbu. With equal totals it is a nagare."
    ),
}
