"""Comparison of the claims of a record with computed values.

`compare_claims` compares claims (``score``, ``final``, ``ba``, ``Result``), and `accept_claims`
accepts possible claims about hidden hands (C9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kafu import cards
from kafu.judging.outcome import Outcome, make_fault
from kafu.judging.playthrough import Playthrough
from kafu.notation.faults import OF_GAME, Fault
from kafu.notation.game import Game
from kafu.rules import codes
from kafu.rules.play.completing import Budget, TooLarge
from kafu.rules.play.ledger import maker
from kafu.rules.verdict import Mismatch

#: Maximum work for the hidden hands of a month, and of a game.
MONTH: Final = 600_000
GAME: Final = 3_000_000


def compare_claims(game: Game, outcome: Outcome) -> list[Mismatch]:
    """Return every claim of the record that differs from the computed value."""
    mismatches: list[Mismatch] = []
    for number, (month, deal) in enumerate(zip(game.months, outcome.deals, strict=False), start=1):
        if month.ba is not None and month.ba != deal.grade:
            mismatches.append(Mismatch("ba", number, None, month.ba, deal.grade))
        mismatches += _find_differences("score", number, month.score, deal.score)
    # The dealt field determines the grade of an unfinished deal.
    number = len(outcome.deals) + 1
    if outcome.stopped and not game.is_sheet and len(game.months) == number:
        claimed, grade = game.months[-1].ba, outcome.state.grade
        if claimed is not None and grade is not None and claimed != grade:
            mismatches.append(Mismatch("ba", number, None, claimed, grade))
    if outcome.state.final is not None and outcome.fault is None:
        mismatches += _find_differences("final", None, game.final, outcome.state.final)
        mismatches += _find_differences("result", None, game.result, outcome.state.final)
    return mismatches


def _find_differences(
    where: str, deal: int | None, claimed: tuple[int, ...] | None, computed: tuple[int, ...]
) -> list[Mismatch]:
    if claimed is None or claimed == computed:
        return []
    return [
        Mismatch(where, deal, seat, claim, value)
        for seat, (claim, value) in enumerate(zip(claimed, computed, strict=True), start=1)
        if claim != value
    ]


def accept_claims(outcome: Outcome) -> tuple[Outcome, list[Mismatch], list[Fault]]:
    """Accept claims about hidden hands if some completion of the hands allows them (C9).

    Return the outcome with the hands as claimed, the remaining wrong claims, and warnings that name
    the accepted claims.

    The hands for a month's score are written into the record, and the record is played again to
    count and compare their effects.
    """
    machine, game, mismatches = outcome.machine, outcome.game, compare_claims(outcome.game, outcome)
    if not (mismatches and outcome.hidden) or machine is None or outcome.fault is not None:
        return outcome, mismatches, []
    budget = GAME
    months, warnings, undecided = list(game.months), list[Fault](), set[int | None]()
    for number, state in outcome.hidden.items():
        month, score = months[number - 1], outcome.deals[number - 1].score
        work = Budget(min(MONTH, budget))
        try:
            if month.score is None:
                undecided |= {None} if machine.may_be_owed(state, work) else set()
            elif month.score != score:
                extra = tuple(map(int.__sub__, month.score, score))
                hands = machine.completion(state, extra, work) or {}
                by_seat = {seat: cards.letters(hand) for seat, hand in hands.items()}
                months[number - 1] = month.replace(hands=month.hands | by_seat)
        except TooLarge:  # neither this month nor the game's result can be computed
            undecided |= {number, None}
            warnings.append(_make_warning(game, number, "score"))
        budget -= min(MONTH, budget) - max(work.left, 0)
    whole = Playthrough(replace(game, months=months), machine).run()
    differing = compare_claims(game, whole)
    left_over = [mismatch for mismatch in differing if mismatch.deal not in undecided]
    if None in undecided and any(mismatch.deal is None for mismatch in differing):
        warnings.append(_make_warning(game, None, "final"))
    return whole, left_over, [*_find_accepted(outcome, whole), *warnings]


def _find_accepted(outcome: Outcome, whole: Outcome) -> Iterator[Fault]:
    """Yield a warning for each payment that depends on the claimed hands."""
    for number, (computed, with_claims) in enumerate(
        zip(outcome.deals, whole.deals, strict=True), 1
    ):
        for line in (Counter(with_claims.ledger) - Counter(computed.ledger)).elements():
            yield _make_warning(outcome.game, number, line.label, maker(line)[0])


def _make_warning(game: Game, number: int | None, what: str, seat: int | None = None) -> Fault:
    """Return the warning about a claim ``what`` on hidden cards (C9).

    The hand belongs to ``seat``, by default to every seat with a hidden hand, in deal ``number`` or
    in the whole game.
    """
    months = game.months if number is None else [game.months[number - 1]]
    hidden = {
        holder for month in months for holder in month.hands if cards.UNKNOWN in month.hands[holder]
    }
    values = {"what": what, "seat": seat or ", ".join(map(str, sorted(hidden)))}
    where: tuple[str, ...] = (OF_GAME,) if number is None else ("score", OF_GAME)
    return make_fault(game, number, codes.NOT_CHECKABLE, where, values)
