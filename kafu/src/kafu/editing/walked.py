"""A record played through step by step, with the position of each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kafu.editing.places import Place, kind_of, places
from kafu.judging import playthrough
from kafu.judging.walk import Known, Outcome
from kafu.notation.game import Game
from kafu.rules.play.actions import Action, Begin, Event, Pile
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import machine_of


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step of a replay.

    ``action`` is None for the end of a deal; ``state`` is the state after the step. ``place`` is
    None for unwritten steps: the end, or a decision that the rules make. ``comments`` are the
    record's comments at the position.
    """

    action: Action | None
    state: State
    place: Place | None
    seat: int
    events: tuple[Event, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class Walked:
    """A game played up to its end or first fault.

    ``deals`` are the steps of each deal, numbered as in a replay (`kafu.judging.replay`).
    """

    game: Game
    rules: Machine[Any]
    outcome: Outcome
    deals: list[list[PlayedStep]] = field(default_factory=list)

    def at(self, deal: int, step: int) -> PlayedStep | None:
        """Return the step with an address such as ``3.14``, None if the game has no such step."""
        if 0 < deal <= len(self.deals) and 0 <= step < len(self.deals[deal - 1]):
            return self.deals[deal - 1][step]
        return None

    @property
    def last(self) -> tuple[int, int]:
        """The address of the last played step; 0, 0 before the first deal."""
        return (len(self.deals), len(self.deals[-1]) - 1) if self.deals else (0, 0)

    def state_before(self, deal: int) -> State:
        """Return the state before deal ``deal``, counted from 1."""
        return self.deals[deal - 2][-1].state if deal > 1 else self.rules.start()

    def next_place(self, deal: int, step: int) -> Place | None:
        """Return the next written position after a step, None after the last of the deal."""
        behind = iter(places(self.game.months[deal - 1]))
        positions = [
            played.place for played in self.deals[deal - 1][: step + 1] if played.place is not None
        ]
        for place in behind:
            if place == positions[-1]:
                return next(behind, None)
        return None


def walk(game: Game) -> Walked:
    """Play a game through.

    ``game`` must not be a score sheet. Raises `kafu.rules.rulesets.Unsupported` for a ruleset that
    this version does not play.
    """
    rules = machine_of(game.rules, game.options, len(game.players))
    steps = _Steps(game, [])
    outcome = playthrough.play(game, rules, steps.watch)
    return Walked(game, rules, outcome, steps.deals)


def walk_on(game: Game, walked: Walked, deal: int) -> Walked:
    """Play a game from deal ``deal`` on; its deals before must equal the deals of ``walked``."""
    before = min(deal - 1, len(walked.outcome.deals))
    steps = _Steps(game, walked.deals[:before])
    played_deals = Known(walked.outcome, before, walked.state_before(before + 1))
    outcome = playthrough.play(game, walked.rules, steps.watch, played_deals=played_deals)
    return Walked(game, walked.rules, outcome, steps.deals)


class _Steps:
    """A collector of the steps of a game during play; its `watch` is a `careful.Watch`."""

    def __init__(self, game: Game, deals: list[list[PlayedStep]]) -> None:
        self.game = game
        self.deals = list(deals)
        self.seat = 0
        self.written: Iterator[Place] = iter(())
        self.due: Place | None = None

    def watch(
        self,
        number: int,
        action: Action,
        state: State,
        events: tuple[Event, ...],
        comments: list[str],
    ) -> None:
        """Record one action; an unwritten action joins the step before it."""
        kind = kind_of(action)
        if kind == "deal":
            self.deals.append([])
            self.written = places(self.game.months[number - 1])
            self.due = next(self.written, None)
            self.seat = 0
        place = None
        if kind and self.due is not None and self.due.kind == kind:
            place, self.due = self.due, next(self.written, None)
        steps = self.deals[-1]
        if isinstance(action, Pile):
            last = steps[-1]
            steps[-1] = replace(last, state=state)
        elif not isinstance(action, Begin):  # more declarations may follow until a card is played
            steps.append(PlayedStep(action, state, place, self.seat, events, tuple(comments)))
        self.seat = state.seat
        if state.result is not None:
            steps.append(PlayedStep(None, state, None, state.result.winner or 0))
