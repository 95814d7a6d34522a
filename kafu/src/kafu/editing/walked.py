"""A record played through, step by step, with the place of each step in it."""

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
    """A step of a replay: ``action`` is None for the end of a deal, ``state`` the one after it.

    ``place`` is None for what is not written: the end, a decision that the rules make. ``comments``
    are those of the record at this place.
    """

    action: Action | None
    state: State
    place: Place | None
    seat: int
    events: tuple[Event, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class Walked:
    """A game played up to its end or first fault. ``deals`` are the steps of each deal, numbered as
    in a replay (`kafu.judging.replay`).
    """

    game: Game
    rules: Machine[Any]
    outcome: Outcome
    deals: list[list[PlayedStep]] = field(default_factory=list)

    def at(self, deal: int, step: int) -> PlayedStep | None:
        """The step of an address such as ``3.14``; None for one that the game has not."""
        if 0 < deal <= len(self.deals) and 0 <= step < len(self.deals[deal - 1]):
            return self.deals[deal - 1][step]
        return None

    @property
    def last(self) -> tuple[int, int]:
        """The address of the last step that could be played; 0, 0 before the first deal."""
        return (len(self.deals), len(self.deals[-1]) - 1) if self.deals else (0, 0)

    def state_before(self, deal: int) -> State:
        """The state in which deal ``deal``, from 1, is to be dealt."""
        return self.deals[deal - 2][-1].state if deal > 1 else self.rules.start()

    def next_place(self, deal: int, step: int) -> Place | None:
        """What is written behind a step; None where it is the last of its deal."""
        behind = iter(places(self.game.months[deal - 1]))
        done = [one.place for one in self.deals[deal - 1][: step + 1] if one.place is not None]
        for place in behind:
            if place == done[-1]:
                return next(behind, None)
        return None


def walk(game: Game) -> Walked:
    """Play a game through. Raises `kafu.rules.rulesets.Unsupported` for a ruleset that is not
    played here; ``game`` must not be a score sheet.
    """
    rules = machine_of(game.rules, game.options, len(game.players))
    steps = _Steps(game, [])
    outcome = playthrough.play(game, rules, steps.watch)
    return Walked(game, rules, outcome, steps.deals)


def walk_on(game: Game, walked: Walked, deal: int) -> Walked:
    """Play a game that is another up to deal ``deal``: only from that on."""
    before = min(deal - 1, len(walked.outcome.deals))
    steps = _Steps(game, walked.deals[:before])
    known = Known(walked.outcome, before, walked.state_before(before + 1))
    outcome = playthrough.play(game, walked.rules, steps.watch, known=known)
    return Walked(game, walked.rules, outcome, steps.deals)


class _Steps:
    """Collects the steps while a game is played through; its `watch` is a `with_care.Watch`."""

    def __init__(self, game: Game, known: list[list[PlayedStep]]) -> None:
        self.game = game
        self.deals = list(known)
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
        """Record one action; what is not written goes with the step before it."""
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
        elif not isinstance(action, Begin):  # until a card is played, more may be declared
            steps.append(PlayedStep(action, state, place, self.seat, events, tuple(comments)))
        self.seat = state.seat
        if state.result is not None:
            steps.append(PlayedStep(None, state, None, state.result.winner or 0))
