"""Games that end their worker, hang it, slow it down or burn its time: known by their Event tag.

No such real game is known. An app of the tests' settings simulates the effects.
"""

import os
import re
import signal
import time
from collections.abc import Callable
from typing import Any

from django.apps import AppConfig

KILL, HANG, FAIL, SLOW = "kill", "hang", "fail", "slow"
#: Burn CPU time: in Python, and in C with the interpreter's lock.
BURN, BURN_IN_C = "burn", "burn in C"
SLOW_SECONDS = 0.2


def _hang() -> None:
    while True:
        time.sleep(0.01)


def _fail() -> None:
    raise ZeroDivisionError("poison")


def _burn() -> None:
    while True:
        pass


def _burn_in_c() -> None:
    re.match("(a+)+$", "a" * 50 + "b")


EFFECTS: dict[str, Callable[[], object]] = {
    KILL: lambda: os.kill(os.getpid(), signal.SIGKILL),
    HANG: _hang,
    FAIL: _fail,
    BURN: _burn,
    BURN_IN_C: _burn_in_c,
    SLOW: lambda: time.sleep(SLOW_SECONDS),
}


def poisoned(text: str, effect: str) -> str:
    """Return a game with a tag that hurts the judging worker."""
    head, tail = text.split("\n", 1)
    return f'{head}\n[Event "poison: {effect}"]\n{tail}'


#: Files of this name burn CPU time before they are cut or unpacked.
COSTLY_FILE = "costly"
#: Limit of CPU time for a game and a file: each that burns time takes all of it.
CPU_SECONDS = 1


class Poison(AppConfig):
    """An app that gives the tag its effect."""

    name = "tests.faults.poison"
    label = "poison"

    def ready(self) -> None:
        """Wrap the engine at its place of call in workers, and the first look at a file."""
        from records.ingest import cutting
        from records.jobs import children
        from records.texts import judged

        children.CPU_SECONDS = CPU_SECONDS  # type: ignore[misc]

        find_kind = cutting.archive_kind_of

        def archive_kind_of(file: Any) -> str | None:
            if file.name == COSTLY_FILE:
                _burn()
            return find_kind(file)

        cutting.archive_kind_of = archive_kind_of
        judge = judged.verify

        def verify(reading: Any, **place: Any) -> Any:
            event = reading.game.tags.get("Event", "") if reading.game is not None else ""
            effect = EFFECTS.get(event.removeprefix("poison: "))
            if effect is not None:
                effect()
            return judge(reading, **place)

        judged.verify = verify
