"""The set-up: what is locked, and which Python is taken."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


LISTS = ("requirements.txt", "requirements-dev.txt", "requirements-bench.txt")
#: What `uv export --no-dev` leaves out: the tools of development, and what only these need.
TOOLS = {"mypy", "playwright", "pytest", "ruff", "schemathesis"}
#: What `make bench` compares us with, by the names of its package and module.
COMPARED = {"chess"}
SOURCES = {"api", "bench", "hana", "hanaarchive", "kafu", "manage.py", "people", "records"}


def pinned(name: str) -> set[tuple[str, str]]:
    """Name and version of each package in a list of requirements."""
    lines = (ROOT / name).read_text().splitlines()
    found = (re.match(r"([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;]+)", line) for line in lines)
    return {(line[1], line[2]) for line in found if line}


def test_the_lock_names_the_public_index_only() -> None:
    hosts = set(re.findall(r"[a-z]+://([^/\"]*)", (ROOT / "uv.lock").read_text()))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
    for name in LISTS:
        assert "://" not in (ROOT / name).read_text()


def test_the_requirements_are_those_of_the_lock() -> None:
    """For running: what our direct dependencies need, and theirs; for development: all but what
    the benches compare with.
    """
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    packages = {package["name"]: package for package in lock["package"]}
    ours = {"hanaarchive", "kafu"}
    needed: set[str] = set()
    ask = [{"name": "hanaarchive", "extra": list[str]()}]
    while ask:
        one = ask.pop()
        package = packages[one["name"]]
        extras = package.get("optional-dependencies", {})
        listed = [package.get("dependencies", []), *(extras[e] for e in one.get("extra", ()))]
        found = [dependency for each in listed for dependency in each]
        ask += [dependency for dependency in found if dependency["name"] not in needed]
        needed.add(package["name"])
    every = {(p["name"], p["version"]) for p in lock["package"] if p["name"] not in ours}
    compared = pinned("requirements-bench.txt")
    assert {name for name, _ in compared} == COMPARED
    assert pinned("requirements-dev.txt") == every - compared
    assert pinned("requirements.txt") == {(n, version) for n, version in every if n in needed}
    assert not needed & (TOOLS | COMPARED)
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert "-e ./kafu" in (ROOT / name).read_text().splitlines()


def test_what_the_benches_compare_with_is_in_nothing_that_we_ship() -> None:
    """Its licence is not ours: only the benches import it, and no image has it."""
    for name in COMPARED:
        imports = re.compile(rf"^\s*(?:import|from) {name}\b", re.M)
        found = {
            path.relative_to(ROOT).parts[0]
            for path in ROOT.rglob("*.py")
            if path.relative_to(ROOT).parts[0] in SOURCES and imports.search(path.read_text())
        }
        assert found == {"bench"}
    assert "--no-dev" in (ROOT / "Dockerfile").read_text()
    assert "--group" not in (ROOT / "Dockerfile").read_text()


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


def test_what_python_lacks_is_reported_in_one_line(tmp_path: Path) -> None:
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
    assert (
        "redis-server postgresql caddy chromium-headless-shell fontconfig fonts-ipafont-gothic"
        in done.stderr
    )
    assert done.stderr.count("\n") == 1


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with scripts/setup, what it reads, and a uv that writes down what it was asked."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "kafu").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    for name in ("pyproject.toml", "kafu/pyproject.toml", "uv.lock", *LISTS):
        (tmp_path / name).write_text(name)
    programs = tmp_path / "programs"
    programs.mkdir()
    for tool in ("cat", "cksum", "dirname", "mkdir", "tr"):
        (programs / tool).symlink_to(shutil.which(tool) or "")
    program(tmp_path / "python", "exit 0")
    lines = (
        f'[ "$1" = sync ] || exit 0\nmkdir -p .venv/bin; cat {tmp_path}/python >.venv/bin/python'
    )
    program(programs / "uv", f'{lines}; /bin/chmod +x .venv/bin/python; echo "$*" >>asked')
    return tmp_path


def asked(checkout: Path, *kinds: str) -> list[str]:
    """What uv was asked for by scripts/setup with each of these."""
    for kind in kinds:
        done = subprocess.run(
            ["/bin/sh", str(checkout / "scripts" / "setup"), kind],
            env={"PATH": str(checkout / "programs")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    return (checkout / "asked").read_text().splitlines()


RUNNING = "sync --frozen --quiet --no-dev"
DEVELOPMENT = "sync --frozen --quiet"
BENCHES = "sync --frozen --quiet --group bench"


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("run", "run"), [RUNNING]),
        (("dev", "dev"), [DEVELOPMENT]),
        (("run", "dev"), [RUNNING, DEVELOPMENT]),
        (("dev", "run"), [DEVELOPMENT]),
        (("dev", "bench", "bench"), [DEVELOPMENT, BENCHES]),
        (("bench", "dev", "run"), [BENCHES]),
    ],
)
def test_set_up_makes_what_is_wanted_once(
    checkout: Path, kinds: tuple[str, ...], expected: list[str]
) -> None:
    assert asked(checkout, *kinds) == expected


def test_an_environment_for_development_stays_one_when_a_requirement_changes(
    checkout: Path,
) -> None:
    assert asked(checkout, "dev") == [DEVELOPMENT]
    (checkout / "uv.lock").write_text("another")
    assert asked(checkout, "run") == [DEVELOPMENT] * 2


def test_an_unknown_set_up_is_refused(checkout: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", str(checkout / "scripts" / "setup"), "all"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "usage: scripts/setup [run|dev|bench]\n")


def test_serving_needs_no_tool_of_development() -> None:
    """`make run` sets up what serving needs; whatever drives the tests or tools sets up all."""
    makefile = (ROOT / "Makefile").read_text()
    needs = dict(re.findall(r"^([a-z-]+):([a-z -]*)", makefile, re.M))
    assert needs["run"].strip() == "setup-run"
    assert [name for name, after in needs.items() if "setup-run" in after] == ["run"]
