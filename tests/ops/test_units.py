"""The units of systemd in deploy/systemd, which run the services of compose.yaml without Docker."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class

from tests.conftest import ROOT
from tests.ops.test_compose import SERVICES, default, in_bytes

UNITS = ROOT / "deploy" / "systemd"
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
#: Services of compose.yaml that run all the time, by the file of their unit.
PARTS = {
    "web": "hana-web@.service",
    "worker": "hana@.service",
    "sweep": "hana@.service",
}


def read_unit(name: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of a unit."""
    for line in (UNITS / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield key, value


@pytest.mark.parametrize("part", PARTS)
def test_unit_runs_the_command_of_its_service(part: str) -> None:
    unit = dict(read_unit(PARTS[part]))
    program, script, command, *options = shlex.split(unit["ExecStart"].replace("%i", part))
    assert program == f"{unit['WorkingDirectory']}/.venv/bin/python"
    assert ["python", script, command] == SERVICES[part]["command"][:3]
    app = get_commands()[command]
    assert isinstance(app, str)
    load_command_class(app, command).create_parser(script, command).parse_args(options)


@pytest.mark.parametrize("part", PARTS)
def test_unit_has_the_limits_of_its_service(part: str) -> None:
    unit = dict(read_unit(PARTS[part]))
    assert in_bytes(unit["MemoryMax"].lower()) == in_bytes(default(SERVICES[part]["mem_limit"]))
    assert f"{unit['TimeoutStopSec']}s" == SERVICES[part]["stop_grace_period"]


def test_documented_installation_fits_the_units() -> None:
    started = next(line for line in OPERATIONS.splitlines() if "systemctl enable" in line)
    assert {part for part in PARTS if part in re.split(r"[@ -]", started)} == set(PARTS)
    for name in {*PARTS.values(), "hana-web.socket"}:
        for key, value in read_unit(name):
            if key in ("WorkingDirectory", "EnvironmentFile", "ListenStream"):
                assert value in OPERATIONS
    assert "{$HANA_WEB:web}" in (ROOT / "deploy/proxy/Caddyfile").read_text()
    assert "HANA_WEB=127.0.0.1" in OPERATIONS
