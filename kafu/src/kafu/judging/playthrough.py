"""Plays a recorded game on its ruleset's machine, up to its end or the first fault.

Nearly every record is played at once, on a state that changes in place. Where anything is out of
order (a fault, a capture left out, unknown cards), or somebody watches, it is played with care.
"""

from __future__ import annotations

from typing import Any

from kafu.judging.at_once import AtOnce, OutOfOrder
from kafu.judging.facts import Observer
from kafu.judging.walk import Known, Outcome
from kafu.judging.with_care import Watch, WithCare
from kafu.notation.game import Game
from kafu.rules.play.actions import Illegal
from kafu.rules.play.machine import Machine


def play(
    game: Game,
    rules: Machine[Any],
    watch: Watch | None = None,
    observer: Observer | None = None,
    known: Known | None = None,
) -> Outcome:
    """Play a record by ``rules``. Never raises for what the record says: see `Outcome.fault`.

    ``known`` deals, for who watches, are not played again; whether anything is unknown is then
    taken from the record that they are known of.
    """
    if watch is None:
        quick = AtOnce(game, rules, observer)
        try:
            quick.run()
        except (Illegal, OutOfOrder):
            pass
        else:
            return quick.outcome
    walk = WithCare(game, rules, watch, observer, known)
    try:
        walk.run()
    except Illegal as illegal:
        walk.outcome.fault = walk.fault(illegal)
        walk.outcome.state = walk.state
        walk.outcome.refused = illegal.action
        if observer and walk.state.result is not None:
            observer.deal.ended = walk.state
    return walk.outcome
