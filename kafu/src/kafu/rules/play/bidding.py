"""出降り: the choice of three players at a table of more seats (B3, T3).

From the dealer on, each seat bids to go in or to stay out. After three seats went in, the remaining
seats are shut out; when only three can still take part, they are in by force. Neither is written.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafu.rules import codes
from kafu.rules.play.actions import Bid, Illegal

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
