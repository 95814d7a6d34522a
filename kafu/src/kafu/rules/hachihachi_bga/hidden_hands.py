"""Payments for hidden hands of 八八 as on Board Game Arena that may have been made (B4, B6, C9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi.hands import read_dregs
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.hands import HAND, KINDS, PRIZED
from kafu.rules.hachihachi_bga.state import PLAIN, State
from kafu.rules.play import completing
from kafu.rules.play.actions import Show
from kafu.rules.play.completing import Budget, Hidden

#: What 追い込み depends on: the prized cards by yaku, and what else the dregs family needs.
_PRIZES: Final = (
    cards.BRIGHTS & ~PLAIN,
    PRIZED & PLAIN,
    *(PRIZED & cards.SLIPS & group for group in (cards.RED_POEMS, cards.BLUE_SLIPS)),
    cards.SLIPS & ~PLAIN & ~PRIZED,
    cards.ANIMALS & ~PLAIN,
)


class _Unpaid(NamedTuple):
    """A hidden hand that may have brought more than was proved: ``judge`` of its ``hand`` is the
    mon from each of those who pay, ``paid`` what was paid of it. Where sums are the same, a hand of
    the ``likely`` ones is preferred.
    """

    seat: int
    hand: Hidden
    likely: Hidden
    paid: int = 0


def completion(state: State, extra: tuple[int, ...], work: Budget) -> dict[int, int] | None:
    """Whole dealt hands (masks) of some seats with which a month that ended would have brought
    each seat so much more; None if no completion of the hidden hands does (C9).

    Raises `completing.TooLarge`. ``state`` is that after the month.
    """
    hands = _unpaid(state)
    shown = [(_shown(state, show), True) for show in state.covered]
    shares = list(extra)
    wanted: dict[int, int] = {}
    for one in hands:
        if one.seat in state.playing:
            continue
        each, odd = divmod(extra[one.seat - 1], len(state.playing))
        wanted[one.seat] = one.paid + each
        shares[one.seat - 1] = odd
        for payer in state.playing:
            shares[payer - 1] += each
    if any(sum_ for seat, sum_ in enumerate(shares, 1) if seat not in state.playing):
        return None
    undecided = False
    for due in _values(state, shares, {one.seat: one for one in hands}, work):
        mon = [(wanted | due)[one.seat] for one in hands]
        for choice in ([one.likely for one in hands], [one.hand for one in hands]):
            try:
                taken = completing.complete([*shown, *zip(choice, mon, strict=True)], work)
            except completing.TooLarge:
                taken, undecided = None, True
            if taken:
                given = zip(hands, taken[len(shown) :], mon, strict=True)
                return {
                    one.seat: one.hand.known | group
                    for one, group, brought in given
                    if brought != one.paid
                }
    if undecided:
        raise completing.TooLarge
    return None


def may_have_jumped(state: State) -> bool:
    """Whether a hidden hand that was not shown may have brought a 飛込み: its three, and the fourth
    card, are captured (B11).
    """
    return any(
        not month & ~state.table.captured[one.seat - 1]
        for one in _unpaid(state)
        if one.seat in state.playing
        for month in cards.MONTHS[1:]
        if (one.hand.known & month).bit_count() == 3
    )


def may_be_owed(state: State, work: Budget) -> bool:
    """Whether some completion of a hidden hand would have brought more than was paid (C9).

    Raises `completing.TooLarge`.
    """
    return any(completing.outcomes(hand, work) != {paid} for _, hand, _, paid in _unpaid(state))


def _unpaid(state: State) -> list[_Unpaid]:
    """The hidden hands of a deal that ended, where it was not dealt again."""
    if state.result is None or state.result.end in ("void", "redeal"):
        return []
    return [*_shut_out(state), *_playing(state)]


def _values(
    state: State, shares: list[int], hands: dict[int, _Unpaid], work: Budget
) -> Iterator[dict[int, int]]:
    """What the hidden hands of those who play may have brought, mon from each of the others, if the
    month brought them ``shares`` more. A sum that all of them got from each other is invisible, so
    that there may be several answers.
    """
    first, *_ = state.playing
    found = completing.outcomes(hands[first].hand, work) if first in hands else {0}
    for value in sorted(value for value in found if isinstance(value, int)):
        every = len(state.playing) * value - shares[first - 1]
        due = {}
        for seat in state.playing:
            due[seat], odd = divmod(shares[seat - 1] + every, len(state.playing))
            if odd or (due[seat] and seat not in hands):
                break
        else:
            if sum(due.values()) == every:
                yield {seat: due[seat] for seat in due if seat in hands}


def _shut_out(state: State) -> Iterator[_Unpaid]:
    """B4: the hidden hands of those who were shut out, judged by what they bring from each of the
    three. Their cards lie in the stock (B5), whose known cards are among the possible ones.
    """
    opening = state.opening
    room = opening.left - len(opening.stock) - (opening.sunk & ~opening.seen).bit_count()
    pool = sum(opening.stock) | (_unseen(state) if room else 0)
    for known in state.dealt:
        pool &= ~known
    for seat in state.bidding.shut:
        known = state.dealt[seat - 1]
        if slots := HAND - known.bit_count():
            hand = Hidden(known, slots, pool, partial(pay.shut_out_value, state), True, _PRIZES)
            yield _Unpaid(seat, hand, hand, pay.shut_out_value(state, known))


def _playing(state: State) -> Iterator[_Unpaid]:
    """B6: the hidden hands of those who play and have not shown them, judged by what they bring
    from each of the others.
    """
    opening = state.opening
    for seat in state.playing:
        i = seat - 1
        if not opening.hidden[i] or seat in state.shown:
            continue

        def judge(hand: int, captured: int = state.table.captured[i]) -> int:
            found = hachihachi_bga_hands.declaration(hand)
            return pay.declaration_value(state, found, captured) if found else 0

        def by_count(hand: int, judge: Callable[[int], int] = judge) -> int | None:
            """Dregs are far rarer than count yaku of their value."""
            return None if read_dregs(hand & ~PLAIN) else judge(hand)

        known, slots = opening.hands[i], opening.hidden[i]
        hand = Hidden(known, slots, _unseen(state), judge, True, KINDS)
        yield _Unpaid(seat, hand, hand._replace(judge=by_count))


def _shown(state: State, show: Show) -> Hidden:
    """A hidden hand that was declared: judged by whether the declaration is right."""
    look = hachihachi_bga_hands.look(show)
    known = state.opening.hands[show.seat - 1] | show.cards
    pool = look.among & _unseen(state) & ~show.cards
    return Hidden(known, HAND - known.bit_count(), pool, look.right, look.by_month, look.classes)


def _unseen(state: State) -> int:
    """The possible cards of the hidden hands of those who play (mask)."""
    return cards.ALL & ~(state.opening.seen | state.opening.sunk)
