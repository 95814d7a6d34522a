"""Hidden hands of 八八 whose payments are open (B4, B6, C9).

Dealt hands are paid without a declaration, so unknown hands may have been paid. The functions
search for completions of the hands that explain the recorded sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi.hands import read_chaff
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.hands import HAND, KINDS, PRIZED
from kafu.rules.hachihachi_bga.state import PLAIN, HachihachiBgaState
from kafu.rules.play import completing
from kafu.rules.play.actions import ShowAction
from kafu.rules.play.completing import Budget, Hidden

#: The groups of cards on which 追い込み depends: prized cards by yaku, and the cards deciding the
#: chaff yaku.
_PRIZES: Final = (
    cards.BRIGHTS & ~PLAIN,
    PRIZED & PLAIN,
    *(PRIZED & cards.RIBBONS & group for group in (cards.RED_POEMS, cards.BLUE_RIBBONS)),
    cards.RIBBONS & ~PLAIN & ~PRIZED,
    cards.ANIMALS & ~PLAIN,
)


class _Unpaid(NamedTuple):
    """A hidden hand that may have brought more than was proved.

    ``hand.judge`` gives the mon from each payer for a completed hand, ``paid`` is the mon already
    paid. ``likely`` is the same hand without the rarer chaff yaku, to be tried first.
    """

    seat: int
    hand: Hidden
    likely: Hidden
    paid: int = 0


def completion(
    state: HachihachiBgaState, extra: tuple[int, ...], work: Budget
) -> dict[int, int] | None:
    """Return dealt hands (masks) that explain why each seat got ``extra`` mon more than was proved.

    ``state`` is the state after the month. Returns None if no completion of the hidden hands does
    (C9). Raises `completing.TooLarge`.
    """
    hands = _list_unpaid(state)
    shown = [(_read_shown(state, show), True) for show in state.covered]
    shares = list(extra)
    due_by_seat: dict[int, int] = {}
    for unpaid in hands:
        if unpaid.seat in state.playing:
            continue
        each, odd = divmod(extra[unpaid.seat - 1], len(state.playing))
        due_by_seat[unpaid.seat] = unpaid.paid + each
        shares[unpaid.seat - 1] = odd
        for payer in state.playing:
            shares[payer - 1] += each
    if any(sum_ for seat, sum_ in enumerate(shares, 1) if seat not in state.playing):
        return None
    undecided = False
    for due_in_play in _find_values(state, shares, {unpaid.seat: unpaid for unpaid in hands}, work):
        mon = [(due_by_seat | due_in_play)[unpaid.seat] for unpaid in hands]
        for choice in ([unpaid.likely for unpaid in hands], [unpaid.hand for unpaid in hands]):
            try:
                completed = completing.complete([*shown, *zip(choice, mon, strict=True)], work)
            except completing.TooLarge:
                completed, undecided = None, True
            if completed:
                brought_by_hand = zip(hands, completed[len(shown) :], mon, strict=True)
                return {
                    unpaid.seat: unpaid.hand.known | hidden_cards
                    for unpaid, hidden_cards, mon_of_hand in brought_by_hand
                    if mon_of_hand != unpaid.paid
                }
    if undecided:
        raise completing.TooLarge
    return None


def may_have_jumped(state: HachihachiBgaState) -> bool:
    """Return whether a hidden hand not shown may have brought a 飛込み (B11).

    It may if its player captured its three and the fourth card.
    """
    return any(
        not month & ~state.table.captured[unpaid.seat - 1]
        for unpaid in _list_unpaid(state)
        if unpaid.seat in state.playing
        for month in cards.MONTHS[1:]
        if (unpaid.hand.known & month).bit_count() == 3
    )


def may_be_owed(state: HachihachiBgaState, work: Budget) -> bool:
    """Return whether a completion of a hidden hand would have brought more than was paid (C9).

    Raises `completing.TooLarge`.
    """
    return any(
        completing.outcomes(hand, work) != {paid} for _, hand, _, paid in _list_unpaid(state)
    )


def _list_unpaid(state: HachihachiBgaState) -> list[_Unpaid]:
    """Return the hidden hands of a deal, none if the month was dealt again."""
    if state.result is None or state.result.end in ("void", "redeal"):
        return []
    return [*_list_shut_out(state), *_list_in_play(state)]


def _find_values(
    state: HachihachiBgaState, shares: list[int], hands: dict[int, _Unpaid], work: Budget
) -> Iterator[dict[int, int]]:
    """Yield the possible mon from each payer for the hidden hands in play.

    ``shares`` are the sums that the month brought each seat beyond what was proved. There may be
    several solutions, as equal payments among all three leave the sums unchanged.
    """
    first, *_ = state.playing
    values = completing.outcomes(hands[first].hand, work) if first in hands else {0}
    for value in sorted(value for value in values if isinstance(value, int)):
        sum_of_values = len(state.playing) * value - shares[first - 1]
        mon_by_seat = {}
        for seat in state.playing:
            mon_by_seat[seat], odd = divmod(shares[seat - 1] + sum_of_values, len(state.playing))
            if odd or (mon_by_seat[seat] and seat not in hands):
                break
        else:
            if sum(mon_by_seat.values()) == sum_of_values:
                yield {seat: mon_by_seat[seat] for seat in mon_by_seat if seat in hands}


def _list_shut_out(state: HachihachiBgaState) -> Iterator[_Unpaid]:
    """Yield the hidden hands of seats shut out, judged by the mon from each of the three (B4).

    Their cards lie in the stock (B5), so known stock cards are possible cards of the hand.
    """
    opening = state.opening
    room = opening.left - len(opening.stock) - (opening.sunk & ~opening.seen).bit_count()
    pool = sum(opening.stock) | (_unseen(state) if room else 0)
    for known_cards in state.dealt:
        pool &= ~known_cards
    for seat in state.bidding.shut:
        known_cards = state.dealt[seat - 1]
        if slots := HAND - known_cards.bit_count():
            hand = Hidden(
                known_cards, slots, pool, partial(pay.shut_out_value, state), True, _PRIZES
            )
            yield _Unpaid(seat, hand, hand, pay.shut_out_value(state, known_cards))


def _list_in_play(state: HachihachiBgaState) -> Iterator[_Unpaid]:
    """Yield the hidden hands in play not shown, judged by the mon from each other (B6)."""
    opening = state.opening
    for seat in state.playing:
        i = seat - 1
        if not opening.hidden[i] or seat in state.shown:
            continue

        def judge(hand: int, captured: int = state.table.captured[i]) -> int:
            """Return the mon that a completed hand brings from each other player."""
            declaration = hachihachi_bga_hands.declaration(hand)
            return pay.declaration_value(state, declaration, captured) if declaration else 0

        def by_count(hand: int, judge: Callable[[int], int] = judge) -> int | None:
            """Return the same, but None for chaff yaku, which are far rarer at equal value."""
            return None if read_chaff(hand & ~PLAIN) else judge(hand)

        known_cards, slots = opening.hands[i], opening.hidden[i]
        hand = Hidden(known_cards, slots, _unseen(state), judge, True, KINDS)
        yield _Unpaid(seat, hand, hand._replace(judge=by_count))


def _read_shown(state: HachihachiBgaState, show: ShowAction) -> Hidden:
    """Return a declared hidden hand, judged by whether the declaration is right."""
    condition = hachihachi_bga_hands.look(show)
    known_cards = state.opening.hands[show.seat - 1] | show.cards
    pool = condition.among & _unseen(state) & ~show.cards
    return Hidden(
        known_cards,
        HAND - known_cards.bit_count(),
        pool,
        condition.right,
        condition.by_month,
        condition.classes,
    )


def _unseen(state: HachihachiBgaState) -> int:
    """Return the possible cards (mask) of the hidden hands in play."""
    return cards.ALL & ~(state.opening.seen | state.opening.sunk)
