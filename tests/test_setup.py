"""The set-up: what is locked, and which Python is taken."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_lock_names_the_public_index_only() -> None:
    hosts = set(re.findall(r"[a-z]+://([^/\"]*)", (ROOT / "uv.lock").read_text()))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
    assert "://" not in (ROOT / "requirements.txt").read_text()


def test_the_requirements_are_those_of_the_lock() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    ours = {"hanaarchive", "kafu"}
    locked = {(p["name"], p["version"]) for p in lock["package"] if p["name"] not in ours}
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert "-e ./kafu" in lines
    pinned = set()
    for line in lines:
        if found := re.match(r"([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;]+)", line):
            pinned.add((found[1], found[2]))
    assert pinned == locked


def run_script(name: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with nothing but this directory on PATH."""
    return subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / name)],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
    )


def program(path: Path, lines: str) -> None:
    """A shell script to stand for a program."""
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def test_a_python_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    """Version managers leave such names on PATH."""
    for name in ("python3.11", "python3.12"):
        program(tmp_path / name, "echo command not found >&2; exit 127")
    program(tmp_path / "python3", "exit 0")
    assert run_script("python", tmp_path).stdout == "python3\n"


def test_what_python_lacks_is_said_in_one_line(tmp_path: Path) -> None:
    for tool in ("dirname", "id"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    done = run_script("python", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("set-up: Python 3.11 or newer is missing")
    program(
        tmp_path / "python3", 'case "$2" in *ensurepip*) exit 1;; *print*) echo python3-venv;; esac'
    )
    done = run_script("python", tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith("install the package python3-venv\n")
    assert done.stderr.count("\n") == 1


def test_a_missing_service_is_named(tmp_path: Path) -> None:
    """As a user who may not install anything, on a machine that has nothing."""
    for tool in ("dirname", "uname"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    program(tmp_path / "id", "echo 1000")
    script = (ROOT / "scripts" / "test-services").read_text()
    bare = tmp_path / "test-services"
    # The script also looks beside PATH, where this machine may have what we pretend it has not.
    bare.write_text(re.sub(r"^PATH=.*$", "", script, flags=re.M).replace("ls -d", "false"))
    done = subprocess.run(
        ["/bin/sh", str(bare)], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "redis-server postgresql caddy chromium fontconfig fonts-ipafont-gothic" in done.stderr
    assert done.stderr.count("\n") == 1
