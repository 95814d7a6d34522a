"""What otherwise hardly ever occurs, as data: how a deal is arranged for it, and what is preferred.

A `Wish` is for one deal. Those for captured and dealt-hand yaku come from the tables of the ruleset
itself; places count in the order of play, from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.notation.vocabulary import VOIDS
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import Yaku
from kafu.simulation.arranging import HAND, STOCK, Sizes, Spec, When, month
from kafu.simulation.dealt import Judge, dealt_hands, hand_of

Make = Callable[[Random], Spec]
_NOTHING: Final = Spec()
#: The pack in three parts of 88 card points each, without a yaku of any ruleset.
_EVEN: Final = (
    "BC KL IJ OP cd hj ln pr",
    "AD EG MN QR ef gi km tv",
    "FH ST UX VW Yb Za oq su",
)
#: Pairs worth 96 card points that make no yaku.
_MANY_POINTS: Final = "AC IK ce MO QS UW"


class Wish(NamedTuple):
    """What is wanted of one deal.

    - ``make`` says how its cards lie, ``goal`` is the yaku that is wanted: until it is made every
      decision is to play on; without one ``words`` are said one by one, then what stops.
    - ``shows``: the places that declare their dealt hands; ``false_show``: one that declares what
      it has not, to be struck out.
    - ``says``: words beside the decisions, by time; ``silent``: decisions are not written where
      silence means the same; ``cancels``: 下げ is called off; ``blind``, ``swaps``: as it says.
    - ``redeal``: the deal is thrown in as misdealt; ``void``: it is given up in play for a reason;
      ``quiet``: no hand makes a dealt-hand yaku.
    """

    name: str
    make: Make
    goal: str = ""
    words: tuple[str, ...] = ()
    shows: tuple[int, ...] = ()
    false_show: bool = False
    says: Mapping[When, str] = {}
    silent: bool = False
    cancels: bool = False
    blind: bool = False
    swaps: bool = False
    redeal: bool = False
    void: str = ""
    quiet: bool = False


def sizes(rules: Machine[Any]) -> Sizes:
    """How the cards of a ruleset are dealt to those who play."""
    of = RULESETS[rules.id]
    return Sizes(of.round, of.hand, of.field)


def wishes(rules: Machine[Any]) -> list[Wish]:
    """All wishes for a ruleset with its options."""
    places = sizes(rules).places
    found = [
        Wish(f"captured {row.id}", partial(_captured, row, _biki(rules), places), goal=row.id)
        for row in rules.captured_yaku
    ]
    judge, ids = dealt_hands(rules)
    for id in ids:
        for place in range(places) if rules.id != "ten-five-one" else (1,):
            spec = partial(_dealt, RULESETS[rules.id].hand, judge, id, place)
            found.append(Wish(f"dealt {id}", spec, goal=id, shows=(place,)))
    found += [
        Wish("dealt anew", lambda _: _NOTHING, redeal=True),
        *(Wish(f"void {reason}", lambda _: _NOTHING, void=reason) for reason in VOIDS),
        Wish("four on the field", _four_on_field),
        Wish("played out", lambda _: _NOTHING, words=("koikoi", "sage") * 8),
    ]
    return [*found, *(_OWN[rules.id](rules) if rules.id in _OWN else ())]


def _biki(rules: Machine[Any]) -> int | None:
    """The place for which captured yaku are wanted; None for any."""
    return 2 if rules.id == "ten-five-one" else None


# Captured yaku ------------------------------------------------------------------------------------


def paired(random: Random, wanted: str) -> str:
    """Pairs of a month that hold the ``wanted`` cards, and as few others as can be.

    >>> paired(Random(1), "BA")
    'AB'
    """
    pairs = []
    for number in sorted({month(card) for card in wanted}):
        own = [card for card in wanted if month(card) == number]
        others = [card for card in cards.LETTERS if month(card) == number and card not in own]
        if len(own) % 2:
            own.append(random.choice(others))
        own.sort()
        pairs += ["".join(own[i : i + 2]) for i in range(0, len(own), 2)]
    return " ".join(pairs)


def _captured(row: Yaku, place: int | None, places: int, random: Random) -> Spec:
    """A deal in which a place captures what a yaku needs."""
    must = list(cards.letters(row.must))
    rest = [card for card in cards.letters(row.cards) if card not in must]
    wanted = "".join(must + random.sample(rest, row.need - len(must)))
    at = random.randrange(places) if place is None else place
    return Spec({at: paired(random, wanted)})


def _even(random: Random) -> Spec:
    """All capture 88 card points, and nobody makes a yaku."""
    return Spec(dict(enumerate(random.sample(_EVEN, 3))))


# Dealt hands --------------------------------------------------------------------------------------


def _dealt(size: int, judge: Judge, id: str, place: int, random: Random) -> Spec:
    """A deal in which the hand of a place makes a yaku."""
    while True:
        hand = hand_of(random, size)
        if id in judge(cards.mask(hand)):
            return Spec(held={place: hand})


# What each ruleset has of its own -----------------------------------------------------------------


def _four_on_field(random: Random) -> Spec:
    number = random.randrange(12)
    return Spec(field=cards.LETTERS[4 * number : 4 * number + 4])


def _many_points(random: Random) -> Spec:
    """Enough for 抜け, without a yaku; the hand is 十一."""
    return Spec({0: _MANY_POINTS}, {0: "CKeOSWE"})


def _tobikomi(random: Random) -> Spec:
    """Who declares a three captures the fourth."""
    place = random.randrange(3)
    return Spec({place: "MP NO"}, {place: "MNO"})


def _futahachi(random: Random) -> Spec:
    """The best of most months, but no yaku."""
    one, other, third = random.sample(range(3), 3)
    return Spec({one: "AB EF MN YZ cd gh kl op st", other: "IJ QR", third: "UV"})


def _sujuroku(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    dregs = "CD GH KL OP ST WX ab ef ij"
    return Spec({one: dregs, other: "AB MN UV gh", third: "EF IJ QR YZ cd"})


def _two_yaku(places: int, random: Random) -> Spec:
    """A place makes 赤短, and it or the next 青短."""
    one = random.randrange(places)
    other = random.choice((one, (one + 1) % places))
    if one == other:
        return Spec({one: "BC FG JK VW hi lm"})
    return Spec({one: "BC FG JK", other: "VW hi lm"})


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


def _two_fuke(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    most = "AB EF IJ MN QR UV YZ cd gh kl op qr st uv"
    return Spec({one: most, other: "CD GH KL OP ST", third: "WX ab ef ij mn"})


def _one_fuke(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    return Spec(
        {one: "AB EF IJ MN QR UV", other: "YZ cd gh kl op st", third: "CD GH KL OP ST WX ab"}
    )


def won_by(place: int, random: Random) -> Spec:
    """赤短 out of a place's own hand, in a small field, so that nobody throws a hatto card."""
    return Spec({place: "BC FG JK"}, {place: "BFJ"}, field="CGK", bare="AIcos")


def _early(random: Random) -> Spec:
    """A yaku made while there are hand cards left."""
    return won_by(random.randrange(3), random)


def _both_show(random: Random) -> Spec:
    """K3: two dealt hands, of the same value or not."""
    return Spec(held={0: "ABEFIJMN", 1: random.choice(("QRUVYZcd", "QRSUVYZc"))})


def _ten_with_the_cup(random: Random) -> Spec:
    return Spec({0: "CD GH KL OP gi"})


def _of_koikoi(rules: Any) -> Iterator[Wish]:
    yield Wish("both show", _both_show, shows=(0, 1))
    yield Wish("two yaku", partial(_two_yaku, 2), words=("koikoi",))
    yield Wish("many calls", partial(_two_yaku, 2), words=("koikoi",) * 4)
    yield Wish("ten with the cup", _ten_with_the_cup)


def _of_both(rules: Any) -> Iterator[Wish]:
    """What 三人はちはち and 八八 share."""
    yield Wish("sohachi", _even)
    yield Wish("futahachi", _futahachi)
    yield Wish("sujuroku", _sujuroku)
    yield Wish("nuke", _many_points, shows=(0,))
    yield Wish("tobikomi", _tobikomi, shows=(0, 1, 2))
    yield Wish("two brights", _carried)
    yield Wish("sage twice", partial(_two_yaku, 3), words=("sage",) * 3)
    yield Wish("sage, then agari", partial(_two_yaku, 3), words=("sage",))
    yield Wish("called off", _early, words=("sage",), cancels=True)


def _of_hachihachi(rules: Any) -> Iterator[Wish]:
    yield from _of_both(rules)
    yield Wish("menjo", _exempt, says={(17, HAND): "menjo"})
    yield Wish("nimai", lambda _: _NOTHING, says={(4, STOCK): "nimai"})
    yield Wish("nimai with a yaku", partial(_two_yaku, 3), words=("nimai",))
    yield Wish("nine slips", _slips, words=("sage",) * 6)
    yield Wish("void-show", lambda _: _NOTHING, false_show=True)
    yield Wish("two shiso", _two_shiso, shows=(0, 1))


def _of_bga(rules: Any) -> Iterator[Wish]:
    yield from _of_both(rules)
    yield Wish("silent sage", partial(_two_yaku, 3), words=("sage",) * 3, silent=True)
    if rules.players > 3:
        yield Wish("mizuten", _many_points, blind=True)


def _of_hanaawase(rules: Any) -> Iterator[Wish]:
    yield Wish("even", _even)
    yield Wish("two fuke", _two_fuke)
    yield Wish("fuke", _one_fuke)


def _of_ten_five_one(rules: Any) -> Iterator[Wish]:
    yield Wish("tobikomi", _tobikomi, shows=(0, 1, 2))
    yield Wish("swaps", lambda _: _NOTHING, swaps=True)


#: Those that have any.
_OWN: Final[Mapping[str, Callable[[Any], Iterator[Wish]]]] = {
    "koikoi": _of_koikoi,
    "hachihachi": _of_hachihachi,
    "hachihachi-bga": _of_bga,
    "hanaawase": _of_hanaawase,
    "ten-five-one": _of_ten_five_one,
}

# Whole games --------------------------------------------------------------------------------------


class Programme(NamedTuple):
    """What is wanted of a whole game: the wish of each month, by its number and the dealer."""

    name: str
    wish: Callable[[int, int], Wish]


def programmes(rules: Machine[Any]) -> list[Programme]:
    """All programmes for a ruleset with its options."""
    if rules.id == "koikoi":
        if not rules.profile.teyaku:  # type: ignore[attr-defined]
            return []
        return [
            Programme("all months to one", lambda month, dealer: _shown_by(1, dealer)),
            Programme("a tie", lambda month, dealer: _shown_by(1 + month % 2, dealer)),
        ]
    if rules.id in ("hachihachi", "hachihachi-bga") and rules.players == 3:
        return [Programme("all equal", _akatan_in_turn)]
    if rules.id == "hanaawase":
        even_month = Wish("even", _even)
        return [Programme("all equal", lambda month, dealer: even_month)]
    return []


def _shown_by(seat: int, dealer: int) -> Wish:
    """喰付 of one seat, and no yaku of the other."""
    place = 0 if seat == dealer else 1
    return Wish(
        "shown", lambda _: Spec(held={place: "ABEFIJMN", 1 - place: "CGKOQUYc"}), shows=(place,)
    )


def _akatan_in_turn(month: int, dealer: int) -> Wish:
    """Each seat wins every third month alike."""
    place = (month % 3 + 1 - dealer) % 3
    return Wish("akatan in turn", partial(won_by, place), goal="akatan", quiet=True)
