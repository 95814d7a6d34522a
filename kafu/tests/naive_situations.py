"""The situations of a game read off its replay, in full and without hashes: slow and plain."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from kafu import cards
from kafu.comparing.suits import Suits, suits_of
from kafu.judging.facts import Decision
from kafu.judging.replay import replay
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import Yaku


class Seen(NamedTuple):
    """A situation in full. ``parts`` are equal for those that are the same: of a decision the yaku,
    what stopping is worth, and all other parts.
    """

    kind: str
    deal: int
    step: int
    seat: int
    parts: tuple[Hashable, ...]
    choice: Hashable
    paid: int


def described(suits: Suits, sets: tuple[int, ...]) -> Hashable:
    """Sets of cards as anybody would describe them: how many months there are of which class in
    which state.
    """
    months: Counter[Hashable] = Counter()
    for number, alike in enumerate(suits.classes):
        for month in alike:
            state = Counter(
                (suits.sorts[i], tuple(one >> i & 1 for one in sets))
                for i in range(4 * month - 4, 4 * month)
            )
            months[number, frozenset(state.items())] += 1
    return frozenset(months.items())


def seen(game: Game) -> Iterator[Seen]:
    """Yield the situations of a game, in order."""
    told = replay(game)
    house = {**RULESETS[game.rules].defaults(game.options.get("profile", "")), **game.options}
    for length in ("months", "first-to"):
        house.pop(length, None)
    of = (game.rules, len(game.players), frozenset(house.items()))
    verification = verify(Reading(game, None), facts=True)
    facts, results = verification.facts, verification.verdict.deals
    assert facts is not None
    for deal, known, result in zip(told["deals"], facts.deals, results, strict=True):
        if deal["end"] in (None, "void"):
            continue
        turn, decisions = 0, list(facts.decisions(known))
        steps = deal["steps"]
        bound = result.bound
        if game.rules == "koikoi":
            earlier = results[: deal["number"] - 1]
            drawn_months = {before.month for before in earlier if before.end == "nagare"}
            bound = "replay" if result.month in drawn_months else None
        for number, (here, then) in enumerate(itertools.pairwise(steps)):
            found: tuple[str, tuple[Hashable, ...], Hashable] | None = None
            if then["kind"] == "hand":
                if turn < 3:
                    kind, what, choice = _play(game, deal["month"], here, then, turn)
                    found = kind, (what,), choice
                turn += 1
            elif then["kind"] == "say" and decisions and _is(decisions[0], here, then):
                one = decisions.pop(0)
                threat = _threat(game, deal["month"], here, then["seat"])
                grade = result.grade and result.grade.removesuffix("2")
                others = one.left, _calls(game, steps[: number + 1], then), grade, bound, threat
                stop = one.stopped[one.seat - 1] - _paid(steps[: number + 1], one.seat)
                found = "decision", (frozenset(one.yaku), stop, others), one.word
            if found is not None:
                kind, parts, choice = found
                first: Hashable = parts[0]
                if "tsukifuda" in game.options:
                    first = (deal["month"] - 1) % 12, first
                whole = ((of, kind, first), *parts[1:])
                paid = _paid(steps[: number + 1], then["seat"])
                yield Seen(kind, deal["number"], number, then["seat"], whole, choice, paid)
        assert not decisions, "every decision is a step"


def _paid(steps: list[dict[str, Any]], seat: int) -> int:
    """Return what a deal has brought a seat by its steps so far."""
    pays = (event for step in steps for event in step["events"] if event["kind"] == "pay")
    return sum(event["amounts"][seat - 1] for event in pays)


def _calls(game: Game, steps: list[dict[str, Any]], then: dict[str, Any]) -> Hashable:
    choice = RULESETS[game.rules].choice
    assert choice is not None
    seats = [step["seat"] for step in steps if step["say"] == choice.on]
    own = seats.count(then["seat"])
    return own, len(seats) - own


def _threat(game: Game, month: int, here: dict[str, Any], seat: int) -> Hashable:
    """Return the yaku that somebody else can make with fewest cards, of those the dearest: all ways
    to capture one or two further cards are tried.
    """
    table = RULESETS[game.rules].month_yaku((month - 1) % 12 + 1, game.options)
    captured = [cards.mask(one) for one in here["captured"]]
    found = []
    for number, mine in enumerate(captured, 1):
        free = [one.bit for one in cards.PACK if not one.bit & sum(captured)]
        for row in table if number != seat else ():
            useful = [bit for bit in free if bit & row.cards]
            for lacking in (0, 1, 2):
                ways = map(sum, itertools.combinations(useful, lacking))
                if any(_is_made(row, mine | more) for more in ways):
                    found.append((lacking, -row.value, row.id))
                    break
    nearest = min((one for one in found if one[0]), default=None)
    return nearest and (nearest[2], nearest[0])


def _is_made(row: Yaku, captured: int) -> bool:
    return (row.cards & captured).bit_count() >= row.need and not row.must & ~captured


def _play(
    game: Game, month: int, here: dict[str, Any], then: dict[str, Any], turn: int
) -> tuple[str, Hashable, Hashable]:
    own = (month - 1) % 12 + 1 if "tsukifuda" in game.options else 0
    suits = suits_of(game.rules, game.options, own)
    if not turn:
        sets: tuple[int, ...] = (cards.mask(here["field"]),)
        taken, kind = then["take"][:1], "field"
    else:
        first = then["seat"] - 1
        captured = [cards.mask(one) for one in here["captured"]]
        sets = tuple(captured[first:] + captured[:first])
        taken, kind = "", "captured"
    # A choice is a situation too: that in which these cards are marked.
    marked = cards.mask(then["card"]), cards.mask(taken)
    return kind, described(suits, sets), described(suits, (*sets, *marked))


def _is(decision: Decision, here: dict[str, Any], then: dict[str, Any]) -> bool:
    """Whether a step is that decision."""
    seat = then["seat"]
    yaku = tuple(one["id"] for one in here["yaku"][seat - 1])
    left = len(here["hands"][seat - 1])
    return (seat, then["say"], yaku, left) == decision[:4]
