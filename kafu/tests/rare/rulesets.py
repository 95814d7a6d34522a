"""The rare events of each ruleset, in addition to its yaku."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.cards import CRANE, CURTAIN, MOON, PHOENIX, RAIN_MAN
from rare.spec import (
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

# Koi-koi ------------------------------------------------------------------------------------------

#: Dealt hands: 喰付 twice, はねけん, and eight months without a yaku (K4).
_KUTTSUKI: Final = "ABEFIJMN"
_OTHER_KUTTSUKI: Final = "QRUVYZcd"
_HANEKEN: Final = "QRSUVYZc"
_NO_YAKU: Final = "CGKOQUYc"


def _both_show(random: Random) -> Spec:
    """Return a deal with two dealt-hand yaku, of equal value or not (K3)."""
    return Spec(held={0: _KUTTSUKI, 1: random.choice((_OTHER_KUTTSUKI, _HANEKEN))})


def _ten_with_the_cup(random: Random) -> Spec:
    """Return a deal in which the first player captures ten chaff including the sake cup (K6)."""
    return Spec({0: "CD GH KL OP gi"})


def _shown_by(seat: int, dealer: int) -> Wish:
    """Return a month in which only ``seat`` has a dealt-hand yaku, 喰付, and shows it."""
    place = 0 if seat == dealer else 1
    return Wish(
        "shown",
        lambda _: Spec(held={place: _KUTTSUKI, 1 - place: _NO_YAKU}),
        shows=(place,),
    )


_KOIKOI_DEALS: Final = (
    Wish("both show", _both_show, shows=(0, 1)),
    Wish("two yaku", partial(two_yaku, 2), words=("koikoi",)),
    Wish("many calls", partial(two_yaku, 2), words=("koikoi",) * 4),
    Wish("ten with the cup", _ten_with_the_cup),
)
_KOIKOI_GAMES: Final = (
    Programme("all months to one", lambda month, dealer: _shown_by(1, dealer)),
    Programme("a tie", lambda month, dealer: _shown_by(1 + month % 2, dealer)),
)


def _koikoi(rules: Any) -> Wishes:
    """Return the wishes of koi-koi.

    Whole games are planned by dealt-hand yaku, so a house without these has none.
    """
    return Wishes(_KOIKOI_DEALS, _KOIKOI_GAMES if rules.profile.teyaku else ())


# Hachihachi ---------------------------------------------------------------------------------------

#: Two brights of the same grade, which make a 二代しばり (H1).
_TWO_BRIGHTS: Final = tuple(
    map(cards.letters, (RAIN_MAN | PHOENIX, CRANE | CURTAIN, CURTAIN | MOON, CRANE | MOON))
)
_BRIGHTS: Final = cards.letters(cards.BRIGHTS)
#: 赤短, and each of its ribbons with a chaff card of the same month.
_AKATAN: Final = cards.letters(cards.RED_POEMS)
_AKATAN_PAIRS: Final = "BC FG JK"
#: 四三 twice: a whole month with three cards of the next.
_SHISO: Final = "ABCDEFG"
_OTHER_SHISO: Final = "IJKLMNO"
#: 十一: six chaff cards and an animal.
_TOICHI: Final = "CKeOSWE"
#: Pairs worth 96 card points that make no yaku.
_MANY_POINTS: Final = "AC IK ce MO QS UW"


def _many_points(random: Random) -> Spec:
    """Return a deal with enough points for 抜け, no captured yaku, and a hand of 十一."""
    return Spec({0: _MANY_POINTS}, {0: _TOICHI})


def _futahachi(random: Random) -> Spec:
    """Return a deal with 二八 and no captured yaku."""
    first, second, third = random.sample(range(3), 3)
    return Spec({first: "AB EF MN YZ cd gh kl op st", second: "IJ QR", third: "UV"})


def _sujuroku(random: Random) -> Spec:
    """Return a deal with 素十六."""
    first, second, third = random.sample(range(3), 3)
    chaff = "CD GH KL OP ST WX ab ef ij"
    return Spec({first: chaff, second: "AB MN UV gh", third: "EF IJ QR YZ cd"})


def _ribbons(random: Random) -> Spec:
    """Return a deal in which a player captures all ten ribbons, one by one."""
    return Spec({random.randrange(3): "AB EF IJ MN QR UV YZ gh kl qr"})


def _exempt(random: Random) -> Spec:
    """Return a deal in which the last two cards of the second player are hatto for the first."""
    # The first player captures two ribbons of 赤短 and two of 青短. The second, left with the third
    # ribbon of both sets, throws the red ribbon, and the first captures it with the curtain.
    played = {(1, HAND): "B", (4, HAND): "F", (7, HAND): "V", (10, HAND): "l"}
    hatto_cards = {(17, HAND): "J", (19, HAND): "I", (20, HAND): "h"}
    return Spec({0: "AB EF UV kl IJ"}, field="AEUk", forced={**played, **hatto_cards})


def _carried(random: Random) -> Spec:
    """Return a deal with two brights of one grade on the field: a 二代しばり arises."""
    return Spec(field=random.choice(_TWO_BRIGHTS))


def _two_shiso(random: Random) -> Spec:
    """Return a deal with two hands of 四三."""
    return Spec(held={0: _SHISO, 1: _OTHER_SHISO})


def _won_by(place: int, random: Random) -> Spec:
    """Return a deal in which a player makes 赤短 from the hand, in a small field.

    Nobody can throw a hatto card for it.
    """
    return Spec({place: _AKATAN_PAIRS}, {place: _AKATAN}, field="CGK", bare=_BRIGHTS)


def _early(random: Random) -> Spec:
    """Return a deal with a yaku made while hand cards are left."""
    return _won_by(random.randrange(3), random)


def _akatan_in_turn(month: int, dealer: int) -> Wish:
    """Return a month of a game won by the seats in turn, with 赤短."""
    place = (month % 3 + 1 - dealer) % 3
    return Wish("akatan in turn", partial(_won_by, place), goal="akatan", quiet=True)


#: The wishes of both rulesets.
_HACHI_DEALS: Final = (
    Wish("sohachi", even),
    Wish("futahachi", _futahachi),
    Wish("sujuroku", _sujuroku),
    Wish("nuke", _many_points, shows=(0,)),
    Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
    Wish("two brights", _carried),
    Wish("sage twice", partial(two_yaku, 3), words=("sage",) * 3),
    Wish("sage, then agari", partial(two_yaku, 3), words=("sage",)),
    Wish("called off", _early, words=("sage",), cancels=True),
)
#: Whole games of three players at the table.
_HACHI_GAMES: Final = (Programme("all equal", _akatan_in_turn),)
_HACHIHACHI: Final = Wishes(
    (
        *_HACHI_DEALS,
        Wish("menjo", _exempt, says={(17, HAND): "menjo"}),
        Wish("nimai", by_chance, says={(4, STOCK): "nimai"}),
        Wish("nimai with a yaku", partial(two_yaku, 3), words=("nimai",)),
        Wish("nine ribbons", _ribbons, words=("sage",) * 6),
        Wish("void-show", by_chance, false_show=True),
        Wish("two shiso", _two_shiso, shows=(0, 1)),
    ),
    _HACHI_GAMES,
)
_SILENT: Final = Wish("silent sage", partial(two_yaku, 3), words=("sage",) * 3, silent=True)
#: Requires bids, hence more than three players.
_BLIND: Final = Wish("mizuten", _many_points, blind=True)


def _hachihachi_bga(rules: Any) -> Wishes:
    """Return the wishes of 八八; bids need more than three players."""
    if rules.players == 3:
        return Wishes((*_HACHI_DEALS, _SILENT), _HACHI_GAMES)
    return Wishes((*_HACHI_DEALS, _SILENT, _BLIND))


# Hana-awase ---------------------------------------------------------------------------------------


def _two_fuke(random: Random) -> Spec:
    """Require ふけ of two places: the third captures nearly all cards of value."""
    rich, poor, poorer = random.sample(range(3), 3)
    rich_pairs = "AB EF IJ MN QR UV YZ cd gh kl op qr st uv"
    return Spec({rich: rich_pairs, poor: "CD GH KL OP ST", poorer: "WX ab ef ij mn"})


def _one_fuke(random: Random) -> Spec:
    """Require ふけ of one place, which captures seven months' chaff."""
    rich, second, poor = random.sample(range(3), 3)
    return Spec(
        {
            rich: "AB EF IJ MN QR UV",
            second: "YZ cd gh kl op st",
            poor: "CD GH KL OP ST WX ab",
        }
    )


_EVEN: Final = Wish("even", even)
_HANAAWASE: Final = Wishes(
    (_EVEN, Wish("two fuke", _two_fuke), Wish("fuke", _one_fuke)),
    (Programme("all equal", lambda month, dealer: _EVEN),),
)

# Ten-five-one -------------------------------------------------------------------------------------

#: Some yaku are for ビキ (T6) or by default for 胴二 (T5) alone: places 2 and 1.
_TEN_FIVE_ONE: Final = Wishes(
    (
        Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
        Wish("swaps", by_chance, swaps=True),
    ),
    captures=2,
    shows=(1,),
)

_WISHES: Final[Mapping[str, Callable[[Any], Wishes]]] = {
    "koikoi": _koikoi,
    "hachihachi": lambda rules: _HACHIHACHI,
    "hachihachi-bga": _hachihachi_bga,
    "hanaawase": lambda rules: _HANAAWASE,
    "ten-five-one": lambda rules: _TEN_FIVE_ONE,
}


def ruleset_wishes(rules: Any) -> Wishes:
    """Return the wishes of the ruleset of a machine."""
    return _WISHES[rules.id](rules)
