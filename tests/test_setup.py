"""The set-up: locked packages, and the choice of Python."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


LISTS = (
    *("requirements.txt", "requirements-dev.txt"),
    *("requirements-bench.txt", "requirements-scale.txt"),
)
#: Tools of development, which `uv export --no-dev` leaves out.
TOOLS = {"mypy", "playwright", "pytest", "ruff", "schemathesis"}
#: Packages with which `make bench` compares us.
COMPARED = {"chess"}
SOURCES = {"api", "bench", "hana", "hanaarchive", "kafu", "manage.py", "people", "records"}


def read_pins(name: str) -> set[tuple[str, str]]:
    """Return name and version of each package in a list of requirements."""
    lines = (ROOT / name).read_text().splitlines()
    matches = (re.match(r"([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;]+)", line) for line in lines)
    return {(line[1], line[2]) for line in matches if line}


def test_lock_names_the_public_index_only() -> None:
    hosts = set(re.findall(r"[a-z]+://([^/\"]*)", (ROOT / "uv.lock").read_text()))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
    for name in LISTS:
        assert "://" not in (ROOT / name).read_text()


def test_requirements_equal_the_lock() -> None:
    """Compare the lists with the transitive dependencies in the lock.

    For running: those of our direct dependencies; for development: all packages except those
    compared by the benches, and those that only the engines of `make test-scale` need.
    """
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    packages = {package["name"]: package for package in lock["package"]}
    ours = {"hanaarchive", "kafu"}
    needed: set[str] = set()
    queue = [{"name": "hanaarchive", "extra": list[str]()}]
    while queue:
        requirement = queue.pop()
        package = packages[requirement["name"]]
        extras = package.get("optional-dependencies", {})
        listed = [
            package.get("dependencies", []),
            *(extras[e] for e in requirement.get("extra", ())),
        ]
        dependencies = [dependency for group in listed for dependency in group]
        queue += [dependency for dependency in dependencies if dependency["name"] not in needed]
        needed.add(package["name"])
    every = {(p["name"], p["version"]) for p in lock["package"] if p["name"] not in ours}
    compared = read_pins("requirements-bench.txt")
    assert {name for name, _ in compared} == COMPARED
    development = read_pins("requirements-dev.txt")
    assert development | compared | read_pins("requirements-scale.txt") == every
    assert not development & compared
    assert read_pins("requirements.txt") == {(n, version) for n, version in every if n in needed}
    assert not needed & (TOOLS | COMPARED)
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert "-e ./kafu" in (ROOT / name).read_text().splitlines()


def test_packages_of_the_benches_are_not_shipped() -> None:
    """Their licence differs from ours: only benches import them, and no image has them."""
    for name in COMPARED:
        imports = re.compile(rf"^\s*(?:import|from) {name}\b", re.M)
        importing = {
            source
            for source in SOURCES
            for path in (ROOT / source).rglob("*.py")
            if imports.search(path.read_text())
        }
        assert importing == {"bench"}
    assert "--no-dev" in (ROOT / "Dockerfile").read_text()
    assert "--group" not in (ROOT / "Dockerfile").read_text()


def run_script(name: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with only one directory on PATH, on a system without Python."""
    return subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / name)],
        env={"PATH": str(path), "SYSTEM_PYTHON": ""},
        capture_output=True,
        text=True,
    )


def write_program(path: Path, lines: str) -> None:
    """Write a shell script in the place of a program."""
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def test_python_that_does_not_run_is_skipped(tmp_path: Path) -> None:
    """Version managers leave such programs on PATH."""
    for name in ("python3.11", "python3.12"):
        write_program(tmp_path / name, "echo command not found >&2; exit 127")
    write_program(tmp_path / "python3", "exit 0")
    assert run_script("python", tmp_path).stdout == "python3\n"


def test_missing_python_is_reported_in_one_line(tmp_path: Path) -> None:
    for tool in ("dirname", "id"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    result = run_script("python", tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("set-up: Python 3.11 or newer is missing")
    write_program(
        tmp_path / "python3", 'case "$2" in *ensurepip*) exit 1;; *print*) echo python3-venv;; esac'
    )
    result = run_script("python", tmp_path)
    assert result.returncode == 1
    assert result.stderr.endswith("install the package python3-venv\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "packages"),
    [
        (
            "",
            "fontconfig fonts-ipafont-gothic redis-server postgresql caddy chromium-headless-shell",
        ),
        ("browsers", "fontconfig fonts-ipafont-gothic firefox-esr webkit2gtk-driver xvfb"),
    ],
)
def test_missing_services_are_named(kind: str, packages: str, tmp_path: Path) -> None:
    """The user may not install anything, and the machine has no services."""
    for tool in ("dirname", "uname"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    write_program(tmp_path / "id", "echo 1000")
    script = (ROOT / "scripts" / "test-services").read_text()
    bare = tmp_path / "test-services"
    # The script also looks outside PATH, where the local machine may have the services.
    bare.write_text(re.sub(r"^PATH=.*$", "", script, flags=re.M).replace("ls -d", "false"))
    result = subprocess.run(
        ["/bin/sh", str(bare), kind], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert f": {packages} (" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with scripts/setup, its input files, and a uv that records its arguments."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "kafu").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    for name in ("pyproject.toml", "kafu/pyproject.toml", "uv.lock", *LISTS):
        (tmp_path / name).write_text(name)
    programs = tmp_path / "programs"
    programs.mkdir()
    for tool in ("cat", "cksum", "dirname", "mkdir", "tr"):
        (programs / tool).symlink_to(shutil.which(tool) or "")
    write_program(tmp_path / "python", "exit 0")
    lines = (
        f'[ "$1" = sync ] || exit 0\nmkdir -p .venv/bin; cat {tmp_path}/python >.venv/bin/python'
    )
    write_program(programs / "uv", f'{lines}; /bin/chmod +x .venv/bin/python; echo "$*" >>asked')
    return tmp_path


def run_setup(checkout: Path, *kinds: str) -> list[str]:
    """Run scripts/setup with each argument; return the recorded arguments of uv."""
    for kind in kinds:
        result = subprocess.run(
            ["/bin/sh", str(checkout / "scripts" / "setup"), kind],
            env={"PATH": str(checkout / "programs")},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
    return (checkout / "asked").read_text().splitlines()


RUNNING = "sync --frozen --quiet --no-dev"
DEVELOPMENT = "sync --frozen --quiet --all-extras"
BENCHES = "sync --frozen --quiet --all-extras --group bench"
ENGINES = "sync --frozen --quiet --all-extras --group scale"


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("run", "run"), [RUNNING]),
        (("dev", "dev"), [DEVELOPMENT]),
        (("run", "dev"), [RUNNING, DEVELOPMENT]),
        (("dev", "run"), [DEVELOPMENT]),
        (("dev", "bench", "bench"), [DEVELOPMENT, BENCHES]),
        (("bench", "dev", "run"), [BENCHES]),
        (("bench", "scale", "dev"), [BENCHES, ENGINES]),
    ],
)
def test_setup_installs_each_environment_once(
    checkout: Path, kinds: tuple[str, ...], expected: list[str]
) -> None:
    assert run_setup(checkout, *kinds) == expected


def test_changed_lock_keeps_an_environment_for_development(
    checkout: Path,
) -> None:
    assert run_setup(checkout, "dev") == [DEVELOPMENT]
    (checkout / "uv.lock").write_text("another")
    assert run_setup(checkout, "run") == [DEVELOPMENT] * 2


def test_unknown_argument_of_setup_is_refused(checkout: Path) -> None:
    result = subprocess.run(
        ["/bin/sh", str(checkout / "scripts" / "setup"), "all"], capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (2, "usage: scripts/setup [run|dev|bench|scale]\n")


def test_make_run_installs_no_development_tools() -> None:
    """All other targets set up the tools of development."""
    makefile = (ROOT / "Makefile").read_text()
    needs = dict(re.findall(r"^([a-z-]+):([a-z -]*)", makefile, re.M))
    assert needs["run"].strip() == "setup-run"
    assert [name for name, after in needs.items() if "setup-run" in after] == ["run"]
