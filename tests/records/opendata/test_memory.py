"""Exports and dumps take constant memory, independent of the number of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from records.opendata.schedule import month_of
from records.search.export_forms import FORMS
from tests.conftest import Environment, Hana

#: Runs commands in one process, one per line, and prints the peak of each in MB.
PEAKS = """
import resource, shlex, sys
import django
django.setup()
from django.core.management import execute_from_command_line
from django.test import Client
from tests.records.opendata.many import fill
for line in sys.argv[1:]:
    command, *words = shlex.split(line)
    if command == "fill":
        fill(*map(int, words))
    elif command == "export":
        form, path = words
        address = f"/api/v1/records?format={form}"
        response = Client().get(address, headers={"host": "localhost"})
        assert response.status_code == 200, response.content
        with open(path, "wb") as file:
            file.writelines(response.streaming_content)
    else:
        execute_from_command_line(["manage.py", command, *words])
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
#: The initial number of games, the number of added games, and the months of each game.
FEW, MORE, MONTHS = 300, 1_800, 8
#: MB that the peak may grow: less than the rows of the added games.
ROOM = 15
ROOM_OF_A_DUMP = 30


def run(hana: Hana, commands: list[str], env: Environment) -> list[int]:
    """Run commands in a process, and return its peak after each, in MB."""
    env = env | {"DJANGO_SETTINGS_MODULE": "hanaarchive.settings"}
    process = hana.start_python("-c", PEAKS, *commands, env=env)
    assert process.stdout is not None
    lines = [line.split() for line in process.stdout]
    assert process.wait(300) == 0
    return [int(words[1]) for words in lines if words[:1] == ["peak"]]


@pytest.mark.long_only  # three seconds of a core
def test_export_and_dump_of_more_games_take_no_more_memory(
    hana: Hana, hana_env: Any, tmp_path: Path
) -> None:
    """Compare with the format whose export takes most memory."""
    files = {form: tmp_path / form for form in FORMS}
    exports = [f"export {form} {path}" for form, path in files.items()]
    again = [f"{command}.more" for command in exports]
    dump = f"dump --month {month_of(timezone.now())}"
    fills = [f"fill {games} {MONTHS}" for games in (FEW, MORE)]
    peaks = run(hana, [fills[0], *exports, dump, fills[1], *again, dump], hana_env())
    before, filled, *_, exported, dumped = peaks[len(exports) + 1 :]
    assert exported < max(before, filled) + ROOM
    assert dumped < max(before, filled) + ROOM_OF_A_DUMP
    # By then the archive has more than six times as many games.
    for path in files.values():
        assert path.with_name(f"{path.name}.more").stat().st_size > 5 * path.stat().st_size
