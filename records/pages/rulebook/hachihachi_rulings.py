"""The rulings on 三人はちはち in a sentence or two each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

RULINGS: Final[Mapping[str, Text]] = {
    "H1": _(
        "Grade and bond go from month to month by the cases of the document's "
        "supplement. The dealt field settles them, before a four of a month on it "
        "goes to the dealer."
    ),
    "H2": _(
        "The two families are declared or not one by one, but within a family only "
        "the best may be named, save for the choice that willow gives."
    ),
    "H3": _("A compound lays open what either yaku would."),
    "H4": _(
        "With the bright among them, three cards of paulownia are sanbon. The "
        "three of haneken may be of any month."
    ),
    "H5": _(
        "Each of the other two pays the value in the month's grade; two players may both collect."
    ),
    "H6": _(
        "Shisō takes prize and stones whatever the rank, and no stone is put in "
        "for its month. With two of them nobody wins the year."
    ),
    "H7": _(
        "New means: not there at the end of that player's turn before, or grown "
        "since, as four brights to five."
    ),
    "H8": _(
        "Nanatan is of all ten slips and grows with each beyond the seventh. Gokō "
        "replaces shikō; all other yaku add up."
    ),
    "H9": _(
        "Agari pays all yaku in full. A sage that ends otherwise pays half of what "
        "was held then; half a kan is six points, never rounded."
    ),
    "H10": _(
        "Sage may be called off after any player's turn later than the one in which it was said."
    ),
    "H11": _("Responsibility of sage covers yaku and tobikomi of others, and goes before hatto."),
    "H12": _(
        "Hatto stands for gokō, shikō, akatan, aotan and inoshikachō with one card "
        "lacking that nobody has captured: for playing that card, or the last "
        "other card of its month, if the yaku is then made with that very card. A "
        "card turned from the stock is never hatto."
    ),
    "H13": _(
        "If one capture makes several yaku, hatto covers each that can have it; "
        "yaku added after a sage on it are its thrower's too, unless another's own "
        "hatto helped. Hatto on shikō carries over to gokō."
    ),
    "H14": _(
        "The last card needs no claim. Otherwise all cards in the hand must be "
        "hatto cards, and the one played belong to the cheapest yaku; of equals, "
        "to that of the player nearest before."
    ),
    "H15": _(
        "Tobikomi counts for each declared three, also that of haneken. Its own "
        "hatto: to throw the fourth card while the three is held, or not to take "
        "the first of it with the fourth."
    ),
    "H16": _(
        "With a special yaku, dealt-hand payments, tobikomi included, stay on the "
        "sheet struck out. Special yaku of different players are both paid, and he "
        "who is paid more deals next."
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
        "Next deals whose yaku ended the month, or who called off his sage; else "
        "who captured most, of equals the nearer to the dealer. After sōhachi the "
        "dealer stays."
    ),
    "H20": _(
        "Ranks are those without any stones. A tie for last halves the stones, an "
        "odd one going to the top; a tie for top goes to the last month's dealer, "
        "then his dōni. Three equal totals are a draw."
    ),
    "H21": _("With the option, months go on after the twelfth while a bond holds."),
    "H22": _(
        "A void month is dealt again by the same dealer and binds nothing. A false "
        "declaration is paid back. Two cards turned at once force sage if a yaku "
        "was made."
    ),
    "H23": _(
        "Agari is written even where nothing else is possible. Options D and E "
        "change factors only: bonds go on by name. Sōhachi and sujūroku are both "
        "paid."
    ),
    "H24": _(
        "On sheets a line of captured yaku may join several, and must fit their "
        "full or half value, shared or paid by one."
    ),
    "H25": _(
        "Corners: a card for shikō and gokō of one player costs the dearer; of two "
        "throwers in one turn the first is by a fixed order of yaku; special yaku "
        "go before succession."
    ),
}
