"""出降り: who takes part if more sit at the table than play (B3, T3).

From the dealer on, each seat bids to go in or not. Once three are in, the rest are shut out; once
only three can still take part, they are in by force. Neither is written.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafu.rules import codes
from kafu.rules.play.actions import Bid, Illegal

#: How many play.
PLAYERS: Final = 3


class Bidding(NamedTuple):
    """The bids so far: the bidders in order, and the answers of the first of them."""

    order: tuple[int, ...]
    answers: tuple[bool, ...] = ()

    @property
    def entered(self) -> tuple[int, ...]:
        """The seats that bid to go in."""
        if not self.answers:  # nobody bids at a table of three
            return ()
        return tuple(
            seat for seat, goes_in in zip(self.order, self.answers, strict=False) if goes_in
        )

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that chose to go out, in that order."""
        if not self.answers:
            return ()
        return tuple(s for s, goes_in in zip(self.order, self.answers, strict=False) if not goes_in)

    @property
    def forced(self) -> tuple[int, ...]:
        """The seats that are in because only three can still take part."""
        rest = self.order[len(self.answers) :]
        return rest if len(self.entered) + len(rest) == PLAYERS else ()

    @property
    def shut(self) -> tuple[int, ...]:
        """The seats that are shut out (追い込み), three being in."""
        return self.order[len(self.answers) :] if len(self.entered) == PLAYERS else ()

    @property
    def due(self) -> int:
        """The seat to bid; 0 when it is decided who plays."""
        is_open = not self.forced and len(self.entered) < PLAYERS
        return self.order[len(self.answers)] if is_open else 0

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that are in, in turn order from the first bidder."""
        inside = {*self.entered, *self.forced}
        return tuple(seat for seat in self.order if seat in inside)

    def bid(self, bid: Bid) -> Bidding:
        """The bidding after a bid. Raises Illegal unless it is that seat's turn to bid."""
        if not self.due:
            players = ", ".join(map(str, self.players))
            raise Illegal(codes.BID_CLOSED, where="bid", seat=bid.seat, players=players)
        if bid.seat != self.due:
            raise Illegal(
                codes.BID_TURN, expected=(str(self.due),), where="bid", seat=bid.seat, due=self.due
            )
        return self._replace(answers=(*self.answers, bid.goes_in))
