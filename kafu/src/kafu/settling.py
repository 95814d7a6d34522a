"""The settlement of a game step by step (精算, S11): from the sums of the months to the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafu.notation.game import Game
from kafu.rules.description import Played
from kafu.rules.rulesets import RULESETS

#: Deals that are played over: no stone, no score.
AGAIN: Final = frozenset({"redeal", "void"})


class SettlementStep(NamedTuple):
    """One step: what it is (`kafu.rules.names.STEPS`), what it gives each seat, and the sums after
    it, in the small unit.

    >>> import kafu
    >>> step = kafu.settlement(kafu.simulate("hachihachi", seed=1))[2]
    >>> step.kind, step.amounts
    ('short', (-120, -120, -120))
    """

    kind: str
    amounts: tuple[int, ...]
    sums: tuple[int, ...]


def steps(game: Game, verdict: Mapping[str, Any]) -> list[SettlementStep]:
    """The steps of a game with its verdict (verdict.md's object), of cards or of a score sheet.

    The first has the sums of the months, the last the final result. Without a final result there is
    the first alone.
    """
    rules = RULESETS[game.rules]
    deals = verdict["deals"]
    totals = tuple(sum(deal["score"][i] for deal in deals) for i in range(len(game.players)))
    found = [SettlementStep("total", totals, totals)]
    if verdict["final"] is None:
        return found
    final = tuple(rules.final_unit * sum_ for sum_ in verdict["final"])
    played = Played(
        game.options, totals, _stones(game, deals), deals[-1]["dealer"], _shiso(deals), final
    )
    for kind, amounts in rules.settlement(played):
        sums = tuple(map(sum, zip(found[-1].sums, amounts, strict=True)))
        found.append(SettlementStep(kind, amounts, sums))
    return found


def _stones(game: Game, deals: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    next_dealers = [deal["next_dealer"] for deal in deals if deal["end"] not in AGAIN]
    return tuple(next_dealers.count(seat + 1) for seat in range(len(game.players)))


def _shiso(deals: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """The makers of 四三 in the last deal, if nobody deals after it."""
    if deals[-1]["next_dealer"] is not None:
        return ()
    return tuple(
        line["amounts"].index(max(line["amounts"])) + 1
        for line in deals[-1]["ledger"]
        if "shiso" in line["label"].split("+") and not line["void"]
    )
