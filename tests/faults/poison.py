"""Games that end their worker, hang it, or slow it down: recognised by their Event tag.

The engine has no such game that we know of. An app of the tests' settings stands in for one.
"""

import os
import signal
import time
from collections.abc import Callable
from typing import Any

from django.apps import AppConfig

KILL, HANG, FAIL, SLOW = "kill", "hang", "fail", "slow"
SLOW_SECONDS = 0.2


def _hang() -> None:
    while True:
        time.sleep(0.01)


def _fail() -> None:
    raise ZeroDivisionError("poison")


EFFECTS: dict[str, Callable[[], object]] = {
    KILL: lambda: os.kill(os.getpid(), signal.SIGKILL),
    HANG: _hang,
    FAIL: _fail,
    SLOW: lambda: time.sleep(SLOW_SECONDS),
}


def poisoned(text: str, effect: str) -> str:
    """A game with a tag that hurts the worker that judges it."""
    head, rest = text.split("\n", 1)
    return f'{head}\n[Event "poison: {effect}"]\n{rest}'


class Poison(AppConfig):
    """Gives the tag its effect."""

    name = "tests.faults.poison"
    label = "poison"

    def ready(self) -> None:
        """Stand before the engine, where the workers call it."""
        from records.ingest import judged

        judge = judged.verify

        def verify(reading: Any, **place: Any) -> Any:
            event = reading.game.tags.get("Event", "") if reading.game is not None else ""
            effect = EFFECTS.get(event.removeprefix("poison: "))
            if effect is not None:
                effect()
            return judge(reading, **place)

        judged.verify = verify
