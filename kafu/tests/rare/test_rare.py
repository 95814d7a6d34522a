"""Rare games cover all rules, and all of them are legal.

Required names come from the tables of the engine, so that a new yaku, payment, word or end is
required without a change here.
"""

from __future__ import annotations

from typing import Final

import pytest

from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import CALLS, DECISIONS, REDEALS, RULES, VOIDS
from kafu.notation.writer import write
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.koikoi.yaku import ROWS
from kafu.rules.names import ENDS, YAKU
from kafu.rules.play.ledger import OTHER
from kafu.rules.rulesets import RULESETS
from lengths import LONG
from occurring import HOUSES, due, occurred
from rare.simulation import simulate_rare

pytestmark = pytest.mark.long

#: Maximum number of deals (a few hundred are enough).
MOST_DEALS: Final = 20_000


def test_everything_with_a_name_is_due_in_some_ruleset() -> None:
    """A payment, end, word or reason that no ruleset requires would be forgotten."""
    names_due = {name for rules in RULES for name in due(rules)}
    names = {f"pays {id}" for id in OTHER - {"ginmi", "month"}}  # lines from settlement and sheets
    names |= {f"ends {id}" for id in ENDS if id != "sheet"}
    names |= {f"says {word}" for word in DECISIONS.values()} | {f"calls {word}" for word in CALLS}
    names |= {f"redeal {reason}" for reason in REDEALS} | {f"void {reason}" for reason in VOIDS}
    unpaid = {"ginmi", "month", "fuke", "tsukisante", "nasake-ame"}
    names |= {f"pays {id}" for id in YAKU if id not in unpaid}
    assert names <= names_due
    houses = {row.id for house in PROFILES.values() for row in house.yaku}
    assert houses == {row.id for row in ROWS}
    assert set(HOUSES) == set(RULES) == set(RULESETS)


def verified(game: Game) -> Game:
    """Return the game, after checking that its record is verified, word for word."""
    text = write(game)
    verification = verify(read(text))
    verdict = verification.verdict
    assert (verdict.status, verdict.warnings, verification.text) == ("verified", [], text)
    return game


@pytest.mark.parametrize("rules", sorted(RULES))
def test_rare_games_are_verified_and_reach_everything(rules: str) -> None:
    """Some hundred deals reach everything; the short form reaches half in its first games.

    Every game is verified, word for word. `judging.test_covering` tests that the conformance corpus
    has a game of everything.
    """
    missing, deals, seed = due(rules), 0, 0
    least = len(due(rules)) if LONG else len(due(rules)) // 2
    while len(due(rules)) - len(missing) < least and deals < MOST_DEALS:
        options, seats = HOUSES[rules][seed % len(HOUSES[rules])]
        game = simulate_rare(rules, seed=seed, players=seats, options=options)
        deals += len(game.months)
        missing -= occurred(verified(game))
        seed += 1
    assert len(due(rules)) - len(missing) >= least, f"{missing}: not reached in {deals} deals"
