"""The settlement of a game (精算, S11), step by step from the sums of the months to the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kafu.notation.game import Game
from kafu.rules.description import Played
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import REPLAYED_ENDS


class SettlementStep(NamedTuple):
    """One step of a settlement: ``kind`` (`kafu.rules.names.STEPS`) and two amounts per seat.

    ``amounts`` are the step's own amounts, ``sums`` the totals after the step, in the small unit.

    >>> import kafu
    >>> step = kafu.settlement(kafu.simulate("hachihachi", seed=1))[2]
    >>> step.kind, step.amounts
    ('short', (-120, -120, -120))
    """

    kind: str
    amounts: tuple[int, ...]
    sums: tuple[int, ...]


def compute_steps(game: Game, verdict: Mapping[str, Any]) -> list[SettlementStep]:
    """Return the settlement steps of a game of cards or a score sheet.

    ``verdict`` is the object of verdict.md. The first step has the sums of the months, the last
    the final result. Without a final result there is only the first step.
    """
    description = RULESETS[game.rules]
    deals = verdict["deals"]
    totals = tuple(sum(deal["score"][i] for deal in deals) for i in range(len(game.players)))
    steps = [SettlementStep("total", totals, totals)]
    if verdict["final"] is None:
        return steps
    final = tuple(description.final_unit * total for total in verdict["final"])
    played = Played(
        game.options,
        totals,
        _count_stones(game, deals),
        deals[-1]["dealer"],
        _shiso_seats(deals),
        final,
    )
    for kind, amounts in description.settlement(played):
        sums = tuple(map(sum, zip(steps[-1].sums, amounts, strict=True)))
        steps.append(SettlementStep(kind, amounts, sums))
    return steps


def _count_stones(game: Game, deals: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    next_dealers = [deal["next_dealer"] for deal in deals if deal["end"] not in REPLAYED_ENDS]
    return tuple(next_dealers.count(seat + 1) for seat in range(len(game.players)))


def _shiso_seats(deals: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the seats that made 四三 in the last deal, if no deal follows."""
    if deals[-1]["next_dealer"] is not None:
        return ()
    return tuple(
        line["amounts"].index(max(line["amounts"])) + 1
        for line in deals[-1]["ledger"]
        if "shiso" in line["label"].split("+") and not line["void"]
    )
