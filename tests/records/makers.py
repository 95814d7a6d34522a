"""Games and uploads for the tests of the archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.utils import timezone

from kafu.notation.game import Game
from kafu.notation.writer import write
from kafu.rules import rulesets
from kafu.simulation.simulate import simulate
from records.ingest.receiving import Part, receive
from records.jobs import sweeping
from records.jobs.executor import Worker, run_job, run_next, work_off
from records.jobs.kinds import BACKGROUND
from records.jobs.ledger import claim
from records.models import Job, Upload
from turns import put_card

MALFORMED = '[Kafu "1"]\n[Rules "poker"]\n[Player1 "a"]\n[Player2 "b"]\n\nmonth 1 dealer 1\n'
#: Illegal from the first deal on: no deal ended.
NOTHING_PLAYED = """[Kafu "1"]
[Rules "koikoi"]
[Player1 "a"]
[Player2 "b"]

month 2 dealer 1
hand 1 ABCDEFGH
"""

#: Unsupported `without_sheets`.
UNSUPPORTED = """[Kafu "1"]
[Rules "hanaawase"]
[Player1 "a"]
[Player2 "b"]
[Player3 "c"]
[Sheet "1"]

month 1 dealer 1
score 1 +5 2 -5 3 0
"""


@contextmanager
def without_sheets() -> Iterator[None]:
    """Run as a version of the library without the score sheets of hana-awase."""

    def refuse(options: Mapping[str, str], players: int) -> NoReturn:
        raise rulesets.Unsupported("hanaawase sheet")

    ruleset = rulesets._RULESETS["hanaawase"]
    rulesets._RULESETS["hanaawase"] = replace(ruleset, sheet=refuse)
    try:
        yield
    finally:
        rulesets._RULESETS["hanaawase"] = ruleset


def simulate_months(seed: int = 1, **options: str) -> Game:
    """Simulate two months of koi-koi, or as many as the option says."""
    return simulate("koikoi", seed=seed, options={"months": "2"} | options)


@cache
def text(seed: int = 1, **options: str) -> str:
    """Return the canonical text of two simulated months of koi-koi."""
    return write(simulate_months(seed, **options))


def stored_in(directory: Path, alias: str = "default") -> dict[str, Any]:
    """Return `settings.STORAGES` with one storage in another directory."""
    storage = {**settings.STORAGES[alias], "OPTIONS": {"location": directory}}
    return {**settings.STORAGES, alias: storage}


def with_wrong_score(seed: int = 1, **options: str) -> str:
    """Return the game of `text` with a wrong claim: same identity, verdict ``mismatch``."""
    game = simulate_months(seed, **options)
    game.months[0].score = (98, 0)
    return write(game)


def illegal(seed: int = 1, **options: str) -> str:
    """Return a game in which the first card of the first month is the other player's."""
    game = simulate_months(seed, **options)
    month = next(month for month in game.months if month.turns)
    turn = month.turns[0]
    put_card(turn, month.hands[3 - month.dealer][0])
    return write(game)


def joined(*games: str) -> bytes:
    """Return texts as one file."""
    return "\n".join(games).encode()


def upload(*files: bytes, via: str = "api", sender: str = "") -> Upload:
    """Return an unprocessed upload of these files."""
    parts = [Part(f"{n}.kafu", (data,)) for n, data in enumerate(files, start=1)]
    return receive(parts=parts, via=via, sender=sender)


def ingest(*files: bytes) -> Upload:
    """Return an upload of these files after all its jobs."""
    received = upload(*files)
    finish(received)
    return received


def run_claimable(**conditions: Any) -> bool:
    """Run the first claimable job. Return False if there is none.

    `run_next` takes twice as long, since it ends leases and considers turns of other senders.
    """
    waiting = Job.objects.filter(state__in=Job.CLAIMABLE, **conditions).order_by("turn", "pk")
    job = next(filter(None, map(claim, waiting.values_list("pk", flat=True))), None)
    if job is not None:
        run_job(job)
    return job is not None


def finish(upload: Upload) -> None:
    """Run all jobs of an upload, without its progress, which takes a fifth of the time to count."""
    while run_claimable(upload=upload):
        pass
    if Job.objects.filter(upload=upload, state__in=Job.OPEN).exists():  # in another process
        work_off(upload, lambda progress: None)


def hurry() -> None:
    """Let no job wait for the end of a pause."""
    Job.objects.filter(state__in=Job.CLAIMABLE).update(due_at=timezone.now())


def work_all(worker: Worker | None = None) -> None:
    """Step until no job is left, without waiting for pauses."""
    worker = worker or Worker()
    for _ in range(500):
        hurry()
        if not worker.step():
            return
    raise AssertionError("it never ends")


def do_idle() -> int:
    """Run all idle jobs; return their number."""
    sweeping.schedule()
    count = 0
    while run_next(BACKGROUND):
        count += 1
    return count
