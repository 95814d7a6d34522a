"""A slow and plain second implementation: situations read from a replay, without hashes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from kafu import cards
from kafu.comparing.suits import Suits, suits_of
from kafu.judging.facts import Decision
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import CapturedYaku


class NaiveSituation(NamedTuple):
    """A situation in full; equal situations have equal ``parts``.

    The parts of a decision are its yaku, the value of stopping, and all further stakes.
    """

    kind: str
    deal: int
    step: int
    seat: int
    parts: tuple[Hashable, ...]
    choice: Hashable
    paid: int


def describe(suits: Suits, sets: tuple[int, ...]) -> Hashable:
    """Describe sets of cards by the number of months of each class in each state."""
    months: Counter[Hashable] = Counter()
    for number, alike in enumerate(suits.classes):
        for month in alike:
            state = Counter(
                (suits.sorts[i], tuple(group >> i & 1 for group in sets))
                for i in range(4 * month - 4, 4 * month)
            )
            months[number, frozenset(state.items())] += 1
    return frozenset(months.items())


def read_situations(game: Game) -> Iterator[NaiveSituation]:
    """Yield the situations of a game, in order."""
    house = {**RULESETS[game.rules].defaults(game.options.get("profile", "")), **game.options}
    for length in ("months", "first-to"):
        house.pop(length, None)
    house_key = (game.rules, len(game.players), frozenset(house.items()))
    verification = verify(Reading(game, None), facts=True)
    facts, results = verification.facts, verification.verdict.deals
    assert facts is not None
    for deal, deal_facts, result in zip(
        stored_replay(game)["deals"], facts.deals, results, strict=True
    ):
        if deal["end"] in (None, "void"):
            continue
        turn, decisions = 0, list(facts.decisions(deal_facts))
        steps = deal["steps"]
        bound = result.bound
        if game.rules == "koikoi":
            earlier = results[: deal["number"] - 1]
            drawn_months = {before.month for before in earlier if before.end == "nagare"}
            bound = "replay" if result.month in drawn_months else None
        for number, (before, after) in enumerate(itertools.pairwise(steps)):
            situation: tuple[str, tuple[Hashable, ...], Hashable] | None = None
            if after["kind"] == "hand":
                if turn < 3:
                    kind, sets, choice = _describe_play(game, deal["month"], before, after, turn)
                    situation = kind, (sets,), choice
                turn += 1
            elif after["kind"] == "say" and decisions and _is_step(decisions[0], before, after):
                decision = decisions.pop(0)
                threat = _find_threat(game, deal["month"], before, after["seat"])
                grade = result.grade and result.grade.removesuffix("2")
                calls = _count_calls(game, steps[: number + 1], after)
                stakes = decision.left, calls, grade, bound, threat
                seat = decision.seat
                stop = decision.stopped[seat - 1] - _add_payments(steps[: number + 1], seat)
                situation = "decision", (frozenset(decision.yaku), stop, stakes), decision.word
            if situation is not None:
                kind, parts, choice = situation
                first: Hashable = parts[0]
                if "tsukifuda" in game.options:
                    first = (deal["month"] - 1) % 12, first
                whole = ((house_key, kind, first), *parts[1:])
                paid = _add_payments(steps[: number + 1], after["seat"])
                yield NaiveSituation(
                    kind, deal["number"], number, after["seat"], whole, choice, paid
                )
        assert not decisions, "every decision is a step"


def _add_payments(steps: list[dict[str, Any]], seat: int) -> int:
    """Return the score of a seat in a deal after some steps."""
    pays = (event for step in steps for event in step["events"] if event["kind"] == "pay")
    return sum(event["amounts"][seat - 1] for event in pays)


def _count_calls(game: Game, steps: list[dict[str, Any]], after: dict[str, Any]) -> Hashable:
    choice = RULESETS[game.rules].choice
    assert choice is not None
    seats = [step["seat"] for step in steps if step["say"] == choice.on]
    count = seats.count(after["seat"])
    return count, len(seats) - count


def _find_threat(game: Game, month: int, before: dict[str, Any], seat: int) -> Hashable:
    """Return the nearest and most valuable yaku of the opponents, with the number of lacking cards.

    Tries all ways to capture one or two further cards.
    """
    table = RULESETS[game.rules].month_yaku((month - 1) % 12 + 1, game.options)
    captured = [cards.mask(letters) for letters in before["captured"]]
    threats = []
    free = [card.bit for card in cards.PACK if not card.bit & sum(captured)]
    for number, own_cards in enumerate(captured, 1):
        for row in table if number != seat else ():
            useful = [bit for bit in free if bit & row.cards]
            for lacking in (0, 1, 2):
                ways = map(sum, itertools.combinations(useful, lacking))
                if any(_is_made(row, own_cards | more) for more in ways):
                    threats.append((lacking, -row.value, row.id))
                    break
    nearest = min((threat for threat in threats if threat[0]), default=None)
    return nearest and (nearest[2], nearest[0])


def _is_made(row: CapturedYaku, captured: int) -> bool:
    return (row.cards & captured).bit_count() >= row.need and not row.must & ~captured


def _describe_play(
    game: Game, month: int, before: dict[str, Any], after: dict[str, Any], turn: int
) -> tuple[str, Hashable, Hashable]:
    yaku_month = (month - 1) % 12 + 1 if "tsukifuda" in game.options else 0
    suits = suits_of(game.rules, game.options, yaku_month)
    if not turn:
        sets: tuple[int, ...] = (cards.mask(before["field"]),)
        captured_card, kind = after["take"][:1], "field"
    else:
        first = after["seat"] - 1
        captured = [cards.mask(letters) for letters in before["captured"]]
        sets = tuple(captured[first:] + captured[:first])
        captured_card, kind = "", "captured"
    # A choice is described like a situation, with its cards as further sets.
    marked = cards.mask(after["card"]), cards.mask(captured_card)
    return kind, describe(suits, sets), describe(suits, (*sets, *marked))


def _is_step(decision: Decision, before: dict[str, Any], after: dict[str, Any]) -> bool:
    seat = after["seat"]
    yaku = tuple(row["id"] for row in before["yaku"][seat - 1])
    hand_size = len(before["hands"][seat - 1])
    return (seat, after["say"], yaku, hand_size) == decision[:4]
