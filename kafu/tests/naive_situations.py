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


class Seen(NamedTuple):
    """A situation in full: ``what`` is equal for those that are the same."""

    kind: str
    deal: int
    step: int
    seat: int
    what: Hashable
    choice: Hashable
    score: int


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
    """The situations of a game, in order."""
    told = replay(game)
    house = {**RULESETS[game.rules].defaults(game.options.get("profile", "")), **game.options}
    for length in ("months", "first-to"):
        house.pop(length, None)
    of = (game.rules, len(game.players), frozenset(house.items()))
    facts = verify(Reading(game, None), facts=True).facts
    assert facts is not None
    for deal, known in zip(told["deals"], facts.deals, strict=True):
        if deal["end"] in (None, "void"):
            continue
        turn, decisions = 0, list(facts.decisions(known))
        steps = deal["steps"]
        for number, (here, then) in enumerate(itertools.pairwise(steps)):
            found: tuple[str, Hashable, Hashable] | None = None
            if then["kind"] == "hand":
                if turn < 3:
                    found = _play(game, deal["month"], here, then, turn)
                turn += 1
            elif then["kind"] == "say" and decisions and _is(decisions[0], here, then):
                one = decisions.pop(0)
                held = frozenset(one.yaku), one.left, one.opponent
                found = "decision", held, one.word
            if found is not None:
                kind, what, choice = found
                if "tsukifuda" in game.options:
                    what = (deal["month"] - 1) % 12, what
                score, seat = deal["score"][then["seat"] - 1], then["seat"]
                yield Seen(kind, deal["number"], number, seat, (of, kind, what), choice, score)
        assert not decisions, "every decision is a step"


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
