"""The direction of imports, which pyproject.toml states and CONTRIBUTING.md explains; sizes."""

import os
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


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("kafu/src/kafu/rules/stray.py", "import django.db"),
        ("kafu/src/kafu/notation/stray.py", "from records import models"),
        ("kafu/src/kafu/notation/stray.py", "import kafu.rules"),
        ("kafu/src/kafu/rules/stray.py", "import kafu.judging"),
        ("kafu/src/kafu/rules/play/stray.py", "import kafu.rules.koikoi.machine"),
        ("kafu/src/kafu/rules/koikoi/stray.py", "import kafu.rules.hachihachi.machine"),
        ("records/stray.py", "import api"),
        ("records/stray.py", "import people"),
        ("records/statistics/stray.py", "import records.pages"),
        ("people/stray.py", "import api"),
        ("records/archives/stray.py", "import kafu.rules"),
        ("hana/stray.py", "import kafu.cards"),
    ],
)
def test_an_import_upwards_is_found(tmp_path: Path, module: str, line: str) -> None:
    for package in ("kafu/src", "records", "people", "api", "hanaarchive", "hana"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / module).write_text(f"{line}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1
    name = module.removeprefix("kafu/src/").removesuffix(".py").replace("/", ".")
    assert name in done.stdout


def test_the_library_has_no_long_module_and_no_full_folder() -> None:
    folders = Counter[Path]()
    for path in (ROOT / "kafu/src").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            folders[path.parent] += 1
            if path.suffix == ".py":
                assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
    assert max(folders.values()) <= 15, folders
