"""Before the play: bidding (出降り) and declaring dealt-hand yaku (手役).

By 出降り three players are chosen at a table of more seats (B3, T3). From the dealer on, each seat
bids to go in or to stay out. After three seats went in, the remaining seats are shut out; when only
three seats can still take part, these seats are in by force. Records contain neither case.

`check` and `check_hidden` are the checks of a ``show`` in every ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from kafu import cards
from kafu.rules import codes
from kafu.rules.play import completing
from kafu.rules.play.actions import Bid, Illegal, ShowAction
from kafu.rules.play.table import TableCards

#: The number of seats in play.
PLAYERS: Final = 3


class Bidding(NamedTuple):
    """The bids so far: the bidders in order, and the bids of the first bidders (true for in)."""

    order: tuple[int, ...]
    answers: tuple[bool, ...] = ()

    @property
    def entered(self) -> tuple[int, ...]:
        """The seats that bid to go in."""
        if not self.answers:  # a table of three has no bids
            return ()
        return tuple(
            seat for seat, goes_in in zip(self.order, self.answers, strict=False) if goes_in
        )

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that bid to stay out, in order."""
        if not self.answers:
            return ()
        return tuple(s for s, goes_in in zip(self.order, self.answers, strict=False) if not goes_in)

    @property
    def forced(self) -> tuple[int, ...]:
        """The seats that are in by force, because only three can still take part."""
        waiting = self.order[len(self.answers) :]
        return waiting if len(self.entered) + len(waiting) == PLAYERS else ()

    @property
    def shut(self) -> tuple[int, ...]:
        """The seats shut out (追い込み), because three are in."""
        return self.order[len(self.answers) :] if len(self.entered) == PLAYERS else ()

    @property
    def due(self) -> int:
        """The seat to bid; 0 after the last bid."""
        is_open = not self.forced and len(self.entered) < PLAYERS
        return self.order[len(self.answers)] if is_open else 0

    @property
    def players(self) -> tuple[int, ...]:
        """The seats in play, in turn order from the first bidder."""
        inside = {*self.entered, *self.forced}
        return tuple(seat for seat in self.order if seat in inside)

    def bid(self, bid: Bid) -> Bidding:
        """Return the bidding after a bid. Raise Illegal if another seat, or nobody, is to bid."""
        if not self.due:
            players = ", ".join(map(str, self.players))
            raise Illegal(codes.BID_CLOSED, where="bid", seat=bid.seat, players=players)
        if bid.seat != self.due:
            raise Illegal(
                codes.BID_TURN, expected=(str(self.due),), where="bid", seat=bid.seat, due=self.due
            )
        return self._replace(answers=(*self.answers, bid.goes_in))


class Declaration(Protocol):
    """A right declaration of a hand: yaku ids, and the cards (mask) laid open."""

    @property
    def yaku(self) -> tuple[str, ...]: ...
    @property
    def cards(self) -> int: ...


def check(
    right: Sequence[Declaration],
    seat: int,
    yaku: tuple[str, ...],
    opened: int | None,
    *,
    rulings: tuple[str, str],
) -> None:
    """Raise Illegal unless ``seat`` declares one of the ``right`` declarations.

    ``opened`` are the cards laid open, None if they were checked before. ``rulings`` are the two
    rulings on the yaku of a hand and on the cards laid open.
    """
    if any(declared.yaku == yaku and opened in (None, declared.cards) for declared in right):
        return
    name = "+".join(yaku)
    names = tuple(dict.fromkeys("+".join(declared.yaku) for declared in right))
    if not names:
        raise Illegal(codes.SHOW_FALSE, seat=seat, yaku=name)
    if name not in names:
        raise Illegal(
            codes.SHOW_LOWER,
            expected=names,
            seat=seat,
            yaku=name,
            due=" / ".join(names),
            ruling=rulings[0],
        )
    assert opened is not None, "otherwise the yaku alone would be right"
    raise Illegal(
        codes.SHOW_CARDS,
        expected=tuple(
            cards.letters(declared.cards) for declared in right if declared.yaku == yaku
        ),
        seat=seat,
        cards=cards.letters(opened),
        ruling=rulings[1],
    )


class HiddenCheck(NamedTuple):
    """The requirement of a declaration on a hand, for `check_hidden`.

    ``right`` decides for a whole hand (mask). The result depends on the counts of the months if
    ``by_month``, on the counts of ``classes`` of cards, and on the open cards (see `completing`).
    ``among`` are the possible cards of the covered part of the hand.
    """

    right: Callable[[int], bool]
    by_month: bool
    classes: tuple[int, ...] = ()
    among: int = cards.ALL


def check_hidden(
    laid: TableCards, shows: Sequence[ShowAction], requirement: Callable[[ShowAction], HiddenCheck]
) -> bool:
    """Return whether the known cards of a hidden hand prove the last of ``shows`` (C9).

    Three ribbons prove なさけ whatever the unknown cards are; counts of months are proved only by
    the whole hand. Raise Illegal if no completion of the hidden hands makes the last of ``shows``
    right together with the earlier ones.

    ``laid`` is the table with the shown cards open, ``shows`` are declarations of hands with
    unknown cards. If the work is too large, no declaration is refused.
    """
    hands = [_hidden_hand(laid, show.seat, requirement(show)) for show in shows]
    try:
        fits = completing.complete([(hand, True) for hand in hands], _budget()) is not None
    except completing.TooLarge:
        fits = True
    if not fits:
        code = codes.SHOW_RIGHT if shows[-1].disputed else codes.SHOW_FALSE
        raise Illegal(code, seat=shows[-1].seat, yaku="+".join(shows[-1].yaku))
    if not hands[-1].slots:
        return True
    any_cards = hands[-1]._replace(pool=cards.ALL & ~hands[-1].known)
    try:
        return not any_cards.by_month and completing.outcomes(any_cards, _budget()) == {True}
    except completing.TooLarge:
        return False


def _budget() -> completing.Budget:
    """Return the budget of one declaration."""
    return completing.Budget(completing.LIMIT)


def _hidden_hand(laid: TableCards, seat: int, check: HiddenCheck) -> completing.Hidden:
    """Return the hidden hand of a seat for a search by a requirement."""
    i = seat - 1
    pool = check.among & ~(laid.seen | laid.sunk)
    hand, slots = laid.hands[i], laid.hidden[i]
    return completing.Hidden(hand, slots, pool, check.right, check.by_month, check.classes)
