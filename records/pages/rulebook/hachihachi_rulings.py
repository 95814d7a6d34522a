"""The rulings on 三人はちはち in a sentence or two each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

RULINGS: Final[Mapping[str, Text]] = {
    "H1": _(
        "Field grade and nidai-shibari pass from month to month by the cases of the document's "
        "supplement. The dealt field decides, before a four of a month on it goes to the dealer."
    ),
    "H2": _(
        "Yaku by count and yaku by dregs are declared independently of each other, but of each "
        "only the best may be declared, except for the choice that willow gives."
    ),
    "H3": _("For a compound, the cards of both yaku are laid open."),
    "H4": _(
        "With the bright among them, three cards of paulownia are sanbon. The "
        "three of haneken may be of any month."
    ),
    "H5": _(
        "Each of the other two pays the value in the month's grade; two players may both collect."
    ),
    "H6": _(
        "The player of shisō takes the prize and the stones whatever their rank, and no stone is "
        "put in for its month. With two of them nobody wins the year."
    ),
    "H7": _(
        "A yaku is new if it was not there at the end of that player's previous turn, or has "
        "grown since, as four brights to five."
    ),
    "H8": _(
        "Nanatan is of all ten slips and grows with each beyond the seventh. Gokō "
        "replaces shikō; all other yaku add up."
    ),
    "H9": _(
        "Agari pays all yaku in full. A sage that ends otherwise pays half of what was held when "
        "it was said; half a kan is six points, never rounded."
    ),
    "H10": _(
        "Sage may be cancelled after any player's turn later than the one in which it was said."
    ),
    "H11": _(
        "A player in sage pays for yaku and tobikomi of others; this takes precedence over hatto."
    ),
    "H12": _(
        "Hatto applies to gokō, shikō, akatan, aotan and inoshikachō when one card is missing "
        "that nobody has captured: to playing that card, or the last other card of its month, if "
        "the yaku is then made with that very card. A card turned from the draw pile is never "
        "hatto."
    ),
    "H13": _(
        "If one capture makes several yaku, hatto covers each that it applies to. The same player "
        "also pays for yaku added after a sage on it, unless another hatto helped to make them. "
        "Hatto on shikō carries over to gokō."
    ),
    "H14": _(
        "The last card needs no claim. Otherwise all cards in the hand must be hatto cards, and "
        "the one played must belong to the cheapest yaku; in a tie, to that of the nearest player "
        "before in play order."
    ),
    "H15": _(
        "Tobikomi counts for each declared three, also that of haneken. Its own "
        "hatto: to throw the fourth card while the three is held, or not to take "
        "the first of it with the fourth."
    ),
    "H16": _(
        "With a special yaku, dealt-hand payments, tobikomi included, stay on the sheet struck "
        "out. Special yaku of different players are both paid, and the player who is paid more "
        "deals next."
    ),
    "H17": _(
        "Pikaichi has no nuke. Card points are what was captured beyond the mean, "
        "times the grade, in points."
    ),
    "H18": _(
        "With a factor of one and a half an odd deviation first moves one point "
        "toward zero, and the third player's takes up the difference. Added kan "
        "are laid on each yaku, but not on tobikomi, nuke and card points."
    ),
    "H19": _(
        "The player whose yaku ended the month, or who cancelled sage, deals next; otherwise the "
        "player who captured most, in a tie the nearer to the dealer. After sōhachi the dealer "
        "stays."
    ),
    "H20": _(
        "Ranks are decided without stones. A tie for last halves the stones, an odd one going to "
        "the top; a tie for top goes to the last month's dealer, then to dōni. Three equal totals "
        "are a draw."
    ),
    "H21": _("With the option, months go on after the twelfth while nidai-shibari holds."),
    "H22": _(
        "A void month is dealt again by the same dealer and carries nothing over. A false "
        "declaration is paid back. Two cards turned at once force sage if a yaku was made."
    ),
    "H23": _(
        "Agari is written even where nothing else is possible. Options D and E change factors "
        "only: nidai-shibari goes by the name of the grade. Sōhachi and sujūroku are both paid."
    ),
    "H24": _(
        "On score sheets one line may hold several captured yaku; it must fit their full or half "
        "value, shared or paid by one."
    ),
    "H25": _(
        "Details: a card that serves both shikō and gokō of one player counts for the dearer; if "
        "two players threw hatto cards in one turn, a fixed order of yaku decides which is first; "
        "special yaku come first in deciding the next dealer."
    ),
}
