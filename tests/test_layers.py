"""The direction of imports, which pyproject.toml states and CONTRIBUTING.md explains; sizes."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINTER = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint_imports(directory: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the packages in a directory."""
    return subprocess.run(
        [sys.executable, "-c", LINTER, "--no-cache"],
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(directory / "kafu/src")},
        capture_output=True,
        text=True,
    )


def test_imports_point_down_only() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


#: Imports upwards: the folder of a module, and its one line.
STRAYS = [
    ("kafu/src/kafu/rules", "import django.db"),
    ("kafu/src/kafu/notation", "from records import models"),
    ("kafu/src/kafu/notation", "import kafu.rules"),
    ("kafu/src/kafu/rules", "import kafu.judging"),
    ("kafu/src/kafu/rules/play", "import kafu.rules.koikoi.machine"),
    ("kafu/src/kafu/rules/koikoi", "import kafu.rules.hachihachi.machine"),
    ("records", "import api"),
    ("records", "import people"),
    ("records/statistics", "import records.pages"),
    ("people", "import api"),
    ("records/archives", "import kafu.rules"),
    ("hana", "import kafu.cards"),
]


def stray(number: int) -> tuple[Path, str]:
    """Where such a module is put, and its name."""
    folder = STRAYS[number][0]
    package = folder.removeprefix("kafu/src/").replace("/", ".")
    return Path(folder) / f"stray{number}.py", f"{package}.stray{number}"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of our packages with all of these in them. No stray imports another."""
    root = tmp_path_factory.mktemp("strays")
    for package in ("kafu/src", "records", "people", "api", "hanaarchive", "hana"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("static"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for number, (_, line) in enumerate(STRAYS):
        (root / stray(number)[0]).write_text(f"{line}\n")
    done = lint_imports(root)
    assert done.returncode == 1
    return done.stdout


@pytest.mark.parametrize("number", range(len(STRAYS)), ids=lambda number: " ".join(STRAYS[number]))
def test_an_import_upwards_is_found(told: str, number: int) -> None:
    assert re.search(rf"\b{re.escape(stray(number)[1])} ->", told)


def test_the_library_has_no_long_module_and_no_full_folder() -> None:
    folders = Counter[Path]()
    for path in (ROOT / "kafu/src").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            folders[path.parent] += 1
            if path.suffix == ".py":
                assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
    assert max(folders.values()) <= 15, folders
