"""法度: which cards are hatto cards, who pays for whom, and when a seat is exempt (H12–H15).

Small functions over the table, one for each sentence of the document. Seats count from 1; cards are
masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.ledger import Payer
from kafu.rules.play.table import TableCards, captures

#: 法度適用: the yaku for which a card can be hatto, with their cards and values in kan.
YAKU: Final[Mapping[str, tuple[int, int]]] = {
    "goko": (cards.BRIGHTS, 20),
    "shiko": (cards.DRY_BRIGHTS, 12),
    "akatan": (cards.RED_POEMS, 7),
    "aotan": (cards.BLUE_SLIPS, 7),
    "inoshikacho": (cards.BOAR | cards.DEER | cards.BUTTERFLIES, 6),
}
#: For each card: the yaku with a card of its month, to which alone it can help, with their cards
#: and how many a seat has that is one short.
_NEAR: Final = {
    card: [
        (yaku, group, group.bit_count() - 1) for yaku, (group, _) in YAKU.items() if group & month
    ]
    for card, month in cards.MATCH.items()
}
#: Of two throwers in one turn the first is by this order (H25).
ORDER: Final = ("goko", "shiko", "goun", "nanatan", "akatan", "aotan", "inoshikacho")
#: The value of 飛込み in kan, the cheapest.
TOBIKOMI_KAN: Final = 1


class Throw(NamedTuple):
    """A hatto card that was thrown: by whom, in which turn, for the yaku of which seat, which
    lacked ``last``.
    """

    card: int
    by: int
    turn: int
    maker: int
    yaku: str
    last: int


class Three(NamedTuple):
    """A declared three of ``seat`` (H15): its cards, and the fourth of the month."""

    seat: int
    cards: int
    fourth: int


#: Who pays for the 飛込み of a declared three.
Owed = tuple[Three, Payer]


def helps(table: TableCards, card: int, last: int) -> bool:
    """Whether ``card`` helps to ``last``, captured by nobody (C5): the card itself, or its shadow
    (決まり札の影札).

    The shadow is the last other card of the month, the remaining two being captured (H12).
    """
    if card == last:
        return True
    month = cards.MATCH[card]
    if not month & last:
        return False
    taken = 0
    for captured in table.captured:
        taken |= captured
    return not (last & taken or month & ~(card | last | taken))


def throws(table: TableCards, seat: int, card: int, turn: int = 0) -> tuple[Throw, ...]:
    """The hatto of ``card`` if ``seat`` throws it, capturing nothing: for every yaku to which it
    helps another who is one card short (H12).
    """
    found: tuple[Throw, ...] = ()
    near = _NEAR[card]
    if not near:
        return found
    for maker, captured in enumerate(table.captured, start=1):
        if maker == seat:
            continue
        for yaku, group, short in near:
            if (captured & group).bit_count() == short:
                last = group & ~captured
                if helps(table, card, last):
                    found = (*found, Throw(card, seat, turn, maker, yaku, last))
    return found


def assists(throw: Throw, played: int, take: int) -> bool:
    """Whether a capture (``take`` by ``played``) is the one that the throw made possible: it
    captures the lacking card that was thrown, or captures its shadow with it (H12).
    """
    if not throw.card & take:
        return False
    return throw.card == throw.last or played == throw.last


def jumped_in(threes: tuple[Three, ...], seat: int, captured: int) -> Three | None:
    """飛込み (H15): the declared three of ``seat`` whose month is now ``captured`` whole,
    if any.
    """
    for three in threes:
        month = three.cards | three.fourth
        if three.seat == seat and captured & month == month:
            return three
    return None


def gives_three(table: TableCards, seat: int, card: int, threes: tuple[Three, ...]) -> list[Three]:
    """The declared threes, still whole in another's hand, to which ``card`` of ``seat`` is the
    fourth: playing it without a capture is hatto (H15 (a)).
    """
    return [
        three
        for three in threes
        if three.seat != seat
        and card == three.fourth
        and table.hands[three.seat - 1] & three.cards == three.cards
    ]


def lets_three_go(
    table: TableCards, seat: int, card: int, threes: tuple[Three, ...]
) -> list[Three]:
    """Return the declared threes whose first card lies on the field and is not captured by
    ``seat``: leaving it is hatto for who has the fourth (H15 (b)), as :func:`owed` finds out.
    """
    return [
        three
        for three in threes
        if three.seat != seat
        and card != three.fourth
        and (table.hands[three.seat - 1] & three.cards).bit_count() == 2
        and table.field & three.cards
    ]


def owed(let_go: Iterable[Owed], card: int, seat: int) -> tuple[Owed, ...]:
    """Return what ``seat`` owes for threes that it let go, once it plays ``card``: it had the
    fourth all the time. A hand that nobody sees is thus judged by what comes of it.
    """
    return tuple(
        (three, owes) for three, owes in let_go if owes.seat == seat and three.fourth == card
    )


def cost(
    table: TableCards, seat: int, card: int, threes: tuple[Three, ...]
) -> tuple[int, int] | None:
    """The cost of a hatto card, in kan, and how near before ``seat`` its player sits (1 is next to
    them).

    A card for several yaku costs their sum for the most expensive player, 四光 and 五光 together 20
    (H14, H25). None for a card that is no hatto card, or that would capture.
    """
    if captures(table.field, card) != (0,):
        return None
    sums: dict[int, dict[str, int]] = {}
    for throw in throws(table, seat, card):
        sums.setdefault(throw.maker, {})[throw.yaku] = YAKU[throw.yaku][1]
    for yaku in sums.values():
        if "goko" in yaku:
            yaku.pop("shiko", None)
    totals = {maker: sum(yaku.values()) for maker, yaku in sums.items()}
    for three in gives_three(table, seat, card, threes):
        totals[three.seat] = totals.get(three.seat, 0) + TOBIKOMI_KAN
    if not totals:
        return None
    dearest = max(totals.values())
    players = len(table.hands)
    nearest = min((seat - maker) % players for maker in totals if totals[maker] == dearest)
    return dearest, nearest


def is_exempt(table: TableCards, seat: int, card: int, threes: tuple[Three, ...]) -> bool:
    """Whether a claim of exemption holds: every card in hand is hatto, and the one played is the
    cheapest, among equals that for the player nearest before ``seat`` (H14).

    ``table`` is as before the card was played. In a hand with unknown cards the known ones must
    agree with the claim, and there must be enough unseen ones that the others can be (C9).
    """
    played = cost(table, seat, card, threes)
    if played is None:
        return False

    def is_dear(held: int) -> bool:
        price = cost(table, seat, held, threes)
        return price is not None and price >= played

    hand = table.hands[seat - 1]
    fresh = not hand & card
    unseen = cards.ALL & ~(table.seen | table.sunk | card)
    could_be = sum(map(is_dear, cards.bits(unseen))) if table.hidden[seat - 1] else 0
    return all(map(is_dear, cards.bits(hand))) and could_be >= table.hidden[seat - 1] - fresh
