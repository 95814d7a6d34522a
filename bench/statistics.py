"""Speed of statistics, depending on the number of games.

    python -m bench.statistics [--sizes 1000 10000 100000] [--runs 9] [--only sqlite]

Archives (`bench.archive`) on SQLite and on PostgreSQL servers started for them, in temporary
directories, are asked in turns (`bench.grown`): every resource without an ETag, with nothing kept,
then again, by Django's test client: the network would add the same to all. Prints tables in
Markdown with the ratio of the largest archive to the smallest, which should be at most 1.5.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from django.core.management import call_command

from bench import grown
from bench.grown import Question

#: Up to this size a check of all sums against the games takes little time.
CHECKED: Final = 1_000


def build(size: int, directory: Path) -> str:
    """An archive of so many games."""
    from bench.archive import Archive, tallies

    Archive(tallies(directory)).grow(size)
    if size <= CHECKED:
        call_command("statistics", check=True, stdout=sys.stderr)
    return "sums checked" if size <= CHECKED else "sums not checked"


def questions() -> Iterator[Question]:
    """Those of the archive, each computed from the sums, then from what is kept."""
    from bench.archive import questions

    for name, id, query in questions():
        one = Question(name, id, query)
        yield one
        yield replace(one, name=f"{name}, again", is_again=True)


if __name__ == "__main__":
    grown.main(grown.Bench("bench.statistics", __doc__ or "", 9, build, questions))
