"""Rare events of 三人はちはち to simulate, apart from its yaku (`kafu.rules.play.wishes`)."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, Final

from kafu.rules.play.wishes import (
    HAND,
    STOCK,
    Programme,
    Spec,
    Wish,
    Wishes,
    by_chance,
    even,
    tobikomi,
    two_yaku,
)

#: Pairs worth 96 card points that make no yaku.
_MANY_POINTS: Final = "AC IK ce MO QS UW"


def many_points(random: Random) -> Spec:
    """Enough for 抜け, without a yaku; the hand is 十一."""
    return Spec({0: _MANY_POINTS}, {0: "CKeOSWE"})


def _futahachi(random: Random) -> Spec:
    """The best of most months, but no yaku."""
    one, other, third = random.sample(range(3), 3)
    return Spec({one: "AB EF MN YZ cd gh kl op st", other: "IJ QR", third: "UV"})


def _sujuroku(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    dregs = "CD GH KL OP ST WX ab ef ij"
    return Spec({one: dregs, other: "AB MN UV gh", third: "EF IJ QR YZ cd"})


def _slips(random: Random) -> Spec:
    """All ten slips, one by one."""
    return Spec({random.randrange(3): "AB EF IJ MN QR UV YZ gh kl qr"})


def _exempt(random: Random) -> Spec:
    """The second's last two cards are both hatto for the first."""
    played = {(1, HAND): "B", (4, HAND): "F", (7, HAND): "V", (10, HAND): "l"}
    thrown = {(17, HAND): "J", (19, HAND): "I", (20, HAND): "h"}
    return Spec({0: "AB EF UV kl IJ"}, field="AEUk", forced={**played, **thrown})


def _carried(random: Random) -> Spec:
    return Spec(field=random.choice(("os", "AI", "Ic", "Ac")))  # two brights of a grade


def _two_shiso(random: Random) -> Spec:
    return Spec(held={0: "ABCDEFG", 1: "IJKLMNO"})


def _won_by(place: int, random: Random) -> Spec:
    """赤短 out of a place's own hand, in a small field, so that nobody throws a hatto card."""
    return Spec({place: "BC FG JK"}, {place: "BFJ"}, field="CGK", bare="AIcos")


def _early(random: Random) -> Spec:
    """A yaku made while there are hand cards left."""
    return _won_by(random.randrange(3), random)


def _akatan_in_turn(month: int, dealer: int) -> Wish:
    """Each seat wins every third month alike."""
    place = (month % 3 + 1 - dealer) % 3
    return Wish("akatan in turn", partial(_won_by, place), goal="akatan", quiet=True)


#: Shared with 八八.
DEALS: Final = (
    Wish("sohachi", even),
    Wish("futahachi", _futahachi),
    Wish("sujuroku", _sujuroku),
    Wish("nuke", many_points, shows=(0,)),
    Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
    Wish("two brights", _carried),
    Wish("sage twice", partial(two_yaku, 3), words=("sage",) * 3),
    Wish("sage, then agari", partial(two_yaku, 3), words=("sage",)),
    Wish("called off", _early, words=("sage",), cancels=True),
)
#: Of three at the table.
GAMES: Final = (Programme("all equal", _akatan_in_turn),)
_OWN: Final = (
    Wish("menjo", _exempt, says={(17, HAND): "menjo"}),
    Wish("nimai", by_chance, says={(4, STOCK): "nimai"}),
    Wish("nimai with a yaku", partial(two_yaku, 3), words=("nimai",)),
    Wish("nine ribbons", _slips, words=("sage",) * 6),
    Wish("void-show", by_chance, false_show=True),
    Wish("two shiso", _two_shiso, shows=(0, 1)),
)


def wishes(rules: Any) -> Wishes:
    """The same by all its options."""
    return Wishes((*DEALS, *_OWN), GAMES)
