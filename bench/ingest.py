"""Speed of processing an upload, from its stored bytes to rows, by a worker process.

    python -m bench.ingest [--games 3000] [--workers 1]

On SQLite with the embedded worker, in a temporary directory. With DATABASE_URL (an empty database;
the tables are created) and REDIS_URL in the environment: on these, with Celery's worker of so many
processes. Figures depend on the machine: to compare two versions, run both on the same one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import django
from django.core.management import call_command

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

ROOT = Path(__file__).resolve().parent.parent
CELERY = ("-m", "celery", "--quiet", "-A", "hanaarchive", "worker")


def work_off(worker: subprocess.Popen[bytes], *texts: str) -> float:
    """Upload games; returns the seconds until the worker has stored them all.

    Exits if the worker has ended.
    """
    # Models can be imported only now, when Django is set up.
    from records.intake.receiving import Part, receive
    from records.models import Upload

    start = time.perf_counter()
    parts = [Part("bench.kafu", (f"{text}\n".encode() for text in texts))]
    upload: Upload = receive(parts=parts, via="command", limit=sys.maxsize)
    while (progress := upload.progress())["state"] != "done":
        if worker.poll() is not None:
            sys.exit("the worker ended")
        time.sleep(0.05)
    assert progress["games"]["verified"] == len(texts), progress
    return time.perf_counter() - start


def main() -> None:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=3000, help="different games to take in")
    parser.add_argument("--workers", type=int, default=1, help="Celery's processes")
    arguments = parser.parse_args()
    first, *texts = (write(simulate("koikoi", seed=seed)) for seed in range(arguments.games + 1))
    with tempfile.TemporaryDirectory() as var:
        os.environ |= {"HANA_ENV": "development", "HANA_VAR": var, "HANA_LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "hanaarchive.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        celery = [*CELERY, f"--concurrency={arguments.workers}", "--loglevel=WARNING"]
        by_celery = bool(os.environ.get("REDIS_URL"))
        command = celery if by_celery else ["manage.py", "worker"]
        worker = subprocess.Popen([sys.executable, *command], cwd=ROOT)
        try:
            work_off(worker, first)  # when this is stored, the worker is up
            seconds = work_off(worker, *texts)
        finally:
            worker.terminate()
            worker.wait()
    where = f"{arguments.workers} Celery processes" if by_celery else "the embedded worker"
    rate = f"{len(texts) / seconds:,.0f} games/s"
    print(f"ingest by {where}, {len(texts):,} koi-koi years: {rate}, {seconds:.1f} s")


if __name__ == "__main__":
    main()
