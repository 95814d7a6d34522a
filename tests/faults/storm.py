"""Random faults for a given time, while uploads come in.

    python -m tests.faults [--minutes 10] [--seed N]

Rounds of about a minute, each with a separate site. At the end of a round all jobs must be done and
the counts right; every other round the archive is also rebuilt from its uploads and compared. The
printed seed gives the same faults and files again, at slightly different moments.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from tests import services
from tests.conftest import Environment, Hana, bare_env, migrate
from tests.faults.games import file, games, mixed, named, zipped
from tests.faults.hurts import Hurts, slowed
from tests.faults.poison import HANG, KILL, poisoned
from tests.faults.site import ROLES, SETTINGS, Site

ROUND_SECONDS = 60.0
PAUSE_SECONDS = 3.0
NAMES = ("Aya", "Gin", "Hana", "Iku", "Jun", "Kei")


class Senders:
    """Two clients that send one file after the other, until told to end."""

    def __init__(self, site: Site, seed: str, *, poison: int) -> None:
        self.site = site
        self.poison = poison  # maximum number of poisoned files: each costs a worker some seconds
        self.ending = threading.Event()
        self.errors: list[BaseException] = []
        self.threads = [
            threading.Thread(target=self._run, args=(Random(f"{seed} {number}"),))
            for number in (1, 2)
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, random: Random) -> None:
        try:
            while not self.ending.is_set():
                data, name = self._file(random)
                self.site.upload(data, name, tending=False)
                self.ending.wait(random.uniform(0, 6))
        except BaseException as error:
            self.errors.append(error)

    def _file(self, random: Random) -> tuple[bytes, str]:
        names = random.sample(NAMES, 2)
        texts = games(*names)
        random.shuffle(texts)
        kind = random.randrange(5 if self.poison > 0 else 4)
        if kind == 0:
            return zipped(a=mixed(*names), b=file(*texts)), "games.zip"
        if kind == 1:
            return file(*texts), "games.kafu"
        if kind == 2:
            return slowed(*names), "games.kafu"
        if kind == 3:
            return mixed(*names), "games.kafu"
        self.poison -= 1
        effect = random.choice((KILL, HANG))
        bad = poisoned(named(random.randrange(1, 9), f"Bad {random.randrange(1000)}"), effect)
        return file(*texts[:3], bad, *texts[3:6]), "games.kafu"

    def end(self) -> None:
        """Wait for the last responses. Raises the errors of the clients."""
        self.ending.set()
        while any(thread.is_alive() for thread in self.threads):
            self.site.tend()
            time.sleep(0.1)
        if self.errors:
            raise self.errors[0]


def round_(seed: str, seconds: float, *, poison: bool, directory: Path) -> None:
    """Hurt one site for a while; raise AssertionError if the books are wrong."""
    random = Random(seed)
    with ExitStack() as stack:
        redis = stack.enter_context(services.redis_server())
        postgres = stack.enter_context(services.postgres_server())
        env: Environment = bare_env(
            HANA_ENV="development",
            HANA_VAR=str(directory),
            DATABASE_URL=postgres.url(postgres.create()),
            REDIS_URL=redis.url,
            **SETTINGS,
        )
        migrate(env)
        site = Site(env, directory / "log", postgres=postgres, redis=redis)
        stack.callback(site.end)
        site.start(*ROLES)
        site.wait(site.answers)
        hurts = Hurts(site, random)
        senders = Senders(site, seed, poison=3 if poison else 0)
        try:
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                time.sleep(random.uniform(0, PAUSE_SECONDS))
                print(f"  {hurts.do_any()}", flush=True)
                site.tend()
        finally:
            senders.end()
        hana = Hana()
        site.settle(hana)
        uploads, played = (
            len(site.books.sent),
            site.ledger.number("SELECT count(*) FROM records_submission"),
        )
        print(f"  right: {uploads} uploads, {played} games", flush=True)
        if not poison:
            plain = {k: v for k, v in env.items() if k != "DJANGO_SETTINGS_MODULE"}
            print("  " + hana("rebuild", "--check", env=plain).stdout.splitlines()[-1], flush=True)


def main() -> None:
    """Run rounds until the time is over. Exit with status 1 at the first wrong books."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, about")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    number = 0
    while time.monotonic() < end:
        seed = f"{arguments.seed} {number}"
        print(f"seed {arguments.seed}, round {number}", flush=True)
        directory = Path(tempfile.mkdtemp(prefix="hana-storm-"))
        seconds = min(ROUND_SECONDS, max(5.0, end - time.monotonic()))
        try:
            round_(seed, seconds, poison=number % 2 == 0, directory=directory)
        except BaseException:
            print(f"seed {arguments.seed}, round {number}: what is left is in {directory}")
            raise
        shutil.rmtree(directory)
        number += 1
    print(f"{number} rounds, all books right")
