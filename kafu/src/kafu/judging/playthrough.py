"""Play of a recorded game on its ruleset's machine, up to its end or first fault.

Nearly every record is played in one pass, on a state that changes in place. A record with a fault,
an omitted capture or unknown cards, and any watched record, is played with care.
"""

from __future__ import annotations

from typing import Any

from kafu.judging.careful import CarefulPlaythrough, Watch
from kafu.judging.facts import Observer
from kafu.judging.fast import FastPlaythrough, OutOfOrder
from kafu.judging.walk import Known, Outcome
from kafu.notation.game import Game
from kafu.rules.play.actions import Illegal
from kafu.rules.play.machine import Machine


def play(
    game: Game,
    rules: Machine[Any],
    watch: Watch | None = None,
    observer: Observer | None = None,
    played_deals: Known | None = None,
) -> Outcome:
    """Play a record by ``rules`` and return its outcome; a fault is in `Outcome.fault`.

    ``played_deals`` are not played again for ``watch``; the flag for unknown cards then comes from
    their record.
    """
    if watch is None:
        quick = FastPlaythrough(game, rules, observer)
        try:
            quick.run()
        except (Illegal, OutOfOrder):
            pass
        else:
            return quick.outcome
    walk = CarefulPlaythrough(game, rules, watch, observer, played_deals)
    try:
        walk.run()
    except Illegal as illegal:
        walk.outcome.fault = walk.make_fault(illegal)
        walk.outcome.state = walk.state
        walk.outcome.refused = illegal.action
        if observer and walk.state.result is not None:
            observer.deal.ended = walk.state
    return walk.outcome
