"""Games that end their worker, hang it, or slow it down: recognised by their Event tag.

No such real game is known. An app of the tests' settings simulates the effects.
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
    """Return a game with a tag that hurts the judging worker."""
    head, tail = text.split("\n", 1)
    return f'{head}\n[Event "poison: {effect}"]\n{tail}'


class Poison(AppConfig):
    """An app that gives the tag its effect."""

    name = "tests.faults.poison"
    label = "poison"

    def ready(self) -> None:
        """Wrap the engine at its place of call in workers."""
        from records.ingest import judged

        judge = judged.verify

        def verify(reading: Any, **place: Any) -> Any:
            event = reading.game.tags.get("Event", "") if reading.game is not None else ""
            effect = EFFECTS.get(event.removeprefix("poison: "))
            if effect is not None:
                effect()
            return judge(reading, **place)

        judged.verify = verify
