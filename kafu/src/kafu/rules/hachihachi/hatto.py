"""法度: hatto cards, who pays for whom, and exemption 免除 (H12–H15).

There is one small function for each sentence of the document. Seats count from 1; cards are masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.ledger import Payer, Thrown
from kafu.rules.play.table import TableCards, captures

#: 法度適用: the yaku for which a card can be hatto, with their cards and values in kan.
YAKU: Final[Mapping[str, tuple[int, int]]] = {
    "goko": (cards.BRIGHTS, 20),
    "shiko": (cards.DRY_BRIGHTS, 12),
    "akatan": (cards.RED_POEMS, 7),
    "aotan": (cards.BLUE_RIBBONS, 7),
    "inoshikacho": (cards.BOAR | cards.DEER | cards.BUTTERFLIES, 6),
}
#: By card: the yaku with a card of the same month. Each yaku has its cards and a number of cards: a
#: player with this number lacks a single card.
_NEAR: Final = {
    card: [
        (yaku, group, group.bit_count() - 1) for yaku, (group, _) in YAKU.items() if group & month
    ]
    for card, month in cards.MATCH.items()
}
#: If two players threw cards for yaku of the same turn, the first yaku in this order decides (H25).
ORDER: Final = ("goko", "shiko", "goun", "nanatan", "akatan", "aotan", "inoshikacho")
#: The value of 飛込み in kan, lower than any yaku.
TOBIKOMI_KAN: Final = 1


class Throw(NamedTuple):
    """A hatto card, thrown by seat ``by`` in a turn.

    ``last`` is the only card that ``maker`` lacked for ``yaku``.
    """

    card: int
    by: int
    turn: int
    maker: int
    yaku: str
    last: int


class Three(NamedTuple):
    """A declared three of ``seat`` (H15): its cards, and the fourth card of the month."""

    seat: int
    cards: int
    fourth: int


#: The payer for the 飛込み of a declared three.
Owed = tuple[Three, Payer]


def can_help(table: TableCards, card: int, last: int) -> bool:
    """Return whether a thrown ``card`` can help to ``last``, a card captured by nobody (C5, H12).

    ``last`` itself can, and its shadow (決まり札の影札): the last other card of the month, after
    the remaining two were captured.
    """
    if card == last:
        return True
    month = cards.MATCH[card]
    if not month & last:
        return False
    captured_cards = 0
    for captured in table.captured:
        captured_cards |= captured
    return not (last & captured_cards or month & ~(card | last | captured_cards))


def find_throws(table: TableCards, seat: int, card: int, turn: int = 0) -> tuple[Throw, ...]:
    """Return the hatto of ``card``, thrown by ``seat`` without a capture (H12).

    The throw is hatto for each yaku of another player with a single missing card to which ``card``
    helps.
    """
    hits: tuple[Throw, ...] = ()
    candidates = _NEAR[card]
    if not candidates:
        return hits
    for maker, captured in enumerate(table.captured, start=1):
        if maker == seat:
            continue
        for yaku, group, short in candidates:
            if (captured & group).bit_count() == short:
                last = group & ~captured
                if can_help(table, card, last):
                    hits = (*hits, Throw(card, seat, turn, maker, yaku, last))
    return hits


def has_assisted(throw: Throw, played: int, take: int) -> bool:
    """Return whether a throw made the capture of ``take`` by ``played`` possible.

    The capture must take the thrown card: as the missing card of the yaku, or as its shadow by
    playing the missing card (H12).
    """
    if not throw.card & take:
        return False
    return throw.card == throw.last or played == throw.last


def find_tobikomi(threes: tuple[Three, ...], seat: int, captured: int) -> Three | None:
    """Return the declared three of ``seat`` whose month is now ``captured`` whole: a 飛込み (H15).

    Returns None without such a three.
    """
    for three in threes:
        month = three.cards | three.fourth
        if three.seat == seat and captured & month == month:
            return three
    return None


def may_concern_threes(table: TableCards, seat: int, threes: Iterable[Three], moved: int) -> bool:
    """Return whether a turn of ``seat`` may have a part in a 飛込み; all hands are known.

    It has none if it ``moved`` no card of the month of a three (a mask), unless the seat holds the
    fourth card and leaves a card of the three on the field.
    """
    hand = table.hands[seat - 1]
    for three in threes:
        if moved & (three.cards | three.fourth):
            return True
        if hand & three.fourth and table.field & three.cards:
            return True
    return False


def find_given_threes(
    table: TableCards, seat: int, card: int, threes: tuple[Three, ...]
) -> list[Three]:
    """Return the declared threes of other seats to which ``card`` is the fourth card.

    Only threes still whole in hand count. Playing the card without a capture is hatto (H15 (a)).
    """
    return [
        three
        for three in threes
        if three.seat != seat
        and card == three.fourth
        and table.hands[three.seat - 1] & three.cards == three.cards
    ]


def find_abandoned_threes(
    table: TableCards, seat: int, card: int, threes: tuple[Three, ...]
) -> list[Three]:
    """Return the declared threes whose first card lies on the field and is left there by ``seat``.

    Leaving the card is hatto for the holder of the fourth (H15 (b)), detected by `find_debts`.
    """
    return [
        three
        for three in threes
        if three.seat != seat
        and card != three.fourth
        and (table.hands[three.seat - 1] & three.cards).bit_count() == 2
        and table.field & three.cards
    ]


def find_debts(let_go: Iterable[Owed], card: int, seat: int) -> tuple[Owed, ...]:
    """Return the 飛込み owed by ``seat`` for abandoned threes, once it plays the fourth ``card``.

    The seat had the card all the time. Hidden hands are thus judged by the cards played from them.
    """
    return tuple(
        (three, payer) for three, payer in let_go if payer.seat == seat and three.fourth == card
    )


def list_thrown(
    throws: Iterable[Throw], debts: Iterable[Owed], let_go: Iterable[Owed], hands: Sequence[int]
) -> set[Thrown]:
    """Return the hatto cards of a deal: for captured yaku (H12, B10) and for 飛込み (H15).

    ``hands`` are the cards held now, by seat: a seat that let a three go and still holds its unseen
    fourth card has thrown it too.
    """
    thrown = {Thrown(throw.by, throw.card) for throw in throws}
    thrown |= {Thrown(payer.seat, payer.card) for _, payer in debts}
    return thrown | {
        Thrown(payer.seat, payer.card)
        for three, payer in let_go
        if hands[payer.seat - 1] & three.fourth
    }


def cost(
    table: TableCards, seat: int, card: int, threes: tuple[Three, ...]
) -> tuple[int, int] | None:
    """Return the cost of a hatto card in kan, and the distance of the player helped by the card.

    Distance 1 is the player before ``seat`` in turn order. A card for several yaku costs their sum
    for the dearest player; 四光 and 五光 together cost 20 (H14, H25). Returns None for a card
    without hatto, or with a capture.
    """
    if captures(table.field, card) != (0,):
        return None
    sums: dict[int, dict[str, int]] = {}
    for throw in find_throws(table, seat, card):
        sums.setdefault(throw.maker, {})[throw.yaku] = YAKU[throw.yaku][1]
    for yaku in sums.values():
        if "goko" in yaku:
            yaku.pop("shiko", None)
    totals = {maker: sum(yaku.values()) for maker, yaku in sums.items()}
    for three in find_given_threes(table, seat, card, threes):
        totals[three.seat] = totals.get(three.seat, 0) + TOBIKOMI_KAN
    if not totals:
        return None
    dearest = max(totals.values())
    players = len(table.hands)
    distance = min((seat - maker) % players for maker in totals if totals[maker] == dearest)
    return dearest, distance


def is_exempt(table: TableCards, seat: int, card: int, threes: tuple[Three, ...]) -> bool:
    """Return whether a claim of exemption (免除) is right (H14).

    All cards in hand must be hatto, and the played card the cheapest; among equals, the card for
    the player nearest before ``seat``. ``table`` is the table before the card was played. The known
    cards of a partly hidden hand must agree with the claim, and enough unseen cards must fit the
    hidden ones (C9).
    """
    played_cost = cost(table, seat, card, threes)
    if played_cost is None:
        return False

    def is_dear(hand_card: int) -> bool:
        price = cost(table, seat, hand_card, threes)
        return price is not None and price >= played_cost

    hand = table.hands[seat - 1]
    was_hidden = not hand & card
    unseen = cards.ALL & ~(table.seen | table.sunk | card)
    could_be = sum(map(is_dear, cards.bits(unseen))) if table.hidden[seat - 1] else 0
    return all(map(is_dear, cards.bits(hand))) and could_be >= table.hidden[seat - 1] - was_hidden
