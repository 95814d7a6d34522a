"""CONTRIBUTING.md names existing paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.conftest import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: The folders of relative paths in a section or in a table.
BELOW = {
    "The library, `kafu/src/kafu/`": "kafu/src/kafu",
    "A rule by its Japanese name": "kafu/src/kafu/rules",
}


def named() -> Iterator[tuple[str, str]]:
    """Yield each path in backticks in a table, with its folder.

    The folder is the table's, or else that of the path before it in the same cell.
    """
    below = ""
    for line in TEXT.splitlines():
        if not line.startswith("|"):
            start = next((start for start in BELOW if line.startswith(start)), "")
            below = BELOW.get(start, "" if line else below)
        for cell in line.split("|")[1:]:
            folder = ""
            for path in re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:py|html|md|toml))`", cell):
                if not path.startswith("var/"):  # made by runs
                    yield path, below if (ROOT / below / path).exists() else folder
                if "/" in path:
                    folder = path.rpartition("/")[0]


def test_paths_in_the_guide_exist() -> None:
    for path, below in set(named()):
        assert (ROOT / below / path).exists() or (ROOT / path).exists(), path


def test_every_room_has_a_row() -> None:
    rooms = [path.parent for path in (ROOT / "records").glob("*/__init__.py")]
    for room in rooms:
        if room.name != "migrations":
            assert f"`records/{room.name}/`" in TEXT
