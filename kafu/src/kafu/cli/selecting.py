"""`kafu filter` and `kafu dedupe`: the games to be printed."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable

from kafu.cli.sources import Sourced
from kafu.cli.terminal import printable
from kafu.comparing.copies import FirstDeal, fingerprint, read_first_deal
from kafu.judging.verify import Verification

#: A function that returns whether a readable game is printed.
Keep = Callable[[Sourced, Verification], bool]


def make_filter(arguments: Namespace) -> Keep:
    """Return the choice of games by the arguments: each that is given must be true of a game."""
    players = {name.casefold() for name in arguments.player}

    def keep(_source: Sourced, verification: Verification) -> bool:
        game = verification.game
        assert game is not None
        return (
            game.rules in (arguments.rules or [game.rules])
            and verification.verdict.status in (arguments.status or [verification.verdict.status])
            and players <= {name.casefold() for name in game.players}
            and all(game.tags.get(name) == value for name, value in arguments.tag)
        )

    return keep


class Deduplication:
    """A choice of the first form of each game; later forms are reported with their places."""

    def __init__(self, report: Callable[[str], object]) -> None:
        self.report = report
        self._places: dict[str, str] = {}
        self._deals: defaultdict[int, list[tuple[FirstDeal, str]]] = defaultdict(list)

    def keep(self, source: Sourced, verification: Verification) -> bool:
        """Return whether no earlier game has the same record, or the same first deal."""
        place = f"{source.source}:{source.piece.line}"
        earlier = self._find_earlier(verification, place)
        if earlier:
            self.report(printable(f"{place}: the game of {earlier}"))
        return not earlier

    def _find_earlier(self, verification: Verification, place: str) -> str:
        """Return the place of an earlier form, or remember the game and return ""."""
        game, identity = verification.game, verification.verdict.identity
        assert game is not None and identity is not None
        if identity in self._places:
            return self._places[identity]
        self._places[identity] = place
        key = fingerprint(game)
        if key is not None:
            deal = read_first_deal(game, str.casefold)
            for other, earlier in self._deals[key]:
                if deal.agrees(other):
                    return earlier
            self._deals[key].append((deal, place))
        return ""
