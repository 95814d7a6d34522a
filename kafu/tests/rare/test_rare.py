"""Rare games cover all rules, and all of them are legal.

Required names come from the tables of the engine, so that a new yaku, payment, word or end is
required without a change here.
"""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import CALLS, DECISIONS, REDEALS, RULES, VOIDS
from kafu.notation.writer import write
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.koikoi.yaku import ROWS
from kafu.rules.names import ENDS, YAKU
from kafu.rules.play.ledger import OTHER
from kafu.rules.rulesets import RULESETS, machine_of
from lengths import LONG
from occurring import HOUSES, due, occurred
from rare.arrangement import Sizes, arrange
from rare.simulation import simulate_rare
from rare.spec import Spec
from rare.wishes import list_wishes

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


def test_same_seed_gives_the_same_game() -> None:
    for rules in RULES:
        first, second = (simulate_rare(rules, seed=7, claims=False) for _ in "12")
        assert write(first) == write(second)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_wish_can_be_arranged(rules: str) -> None:
    """A deal exists for each wish, and the names of different wishes differ."""
    for options, seats in HOUSES[rules]:
        machine = machine_of(rules, options, seats)
        sizes = Sizes(2, 8, 8) if rules == "koikoi" else Sizes(3, 7, 6)
        for wish in list_wishes(machine, machine.yaku_table(machine.start())):
            assert arrange(Random(1), wish.make(Random(2)), sizes) is not None, wish.name


def test_plan_arranges_the_deal_and_its_play() -> None:
    spec = Spec({1: "AB cd"}, {1: "A"}, field="B", bare="os", forced={(2, "stock"): "c"})
    arranged = arrange(Random(3), spec, Sizes(3, 7, 6))
    assert arranged is not None
    dealt = "".join(arranged.hands) + arranged.field + arranged.stock
    assert sorted(dealt) == sorted(cards.LETTERS)
    assert (
        "A" in arranged.hands[1] and "B" in arranged.field and not set("os") & set(arranged.field)
    )
    assert arranged.plan[2, "stock"].card == "c"
    captured = {
        (turn - 1) % 3: step for (turn, _), step in arranged.plan.items() if step.take in ("B", "A")
    }
    assert set(captured) == {1}
    assert arrange(Random(3), Spec({0: "AB"}, {1: "A"}, field="B"), Sizes(3, 7, 6)) is None
