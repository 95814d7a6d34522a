"""The direction of imports (pyproject.toml), sizes, and names that mean one thing."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINTER = "from importlinter.cli import lint_imports_command; lint_imports_command()"
#: The application's packages, and the library.
PACKAGES = ("api", "hana", "hanaarchive", "kafu/src", "people", "records")


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


#: Imports that no contract allows: a module, and what it must not import.
STRAY = (
    ("kafu.rules.grades", "django"),
    ("kafu.notation.words", "records.models"),
    ("kafu.notation.words", "kafu.rules"),
    ("kafu.rules.teyaku", "kafu.judging"),
    ("kafu.rules.play.wishes", "kafu.rules.koikoi.machine"),
    ("kafu.rules.koikoi.state", "kafu.rules.hachihachi.machine"),
    ("kafu.rules.verdict", "kafu.rules.sheets"),
    ("kafu.rules.sheets.lines", "kafu.rules.sheets.form"),
    ("kafu.rules.play.actions", "kafu.rules.play.machine"),
    ("kafu.notation.faults", "kafu.notation.difference"),
    ("kafu.notation.reading.source", "kafu.notation.reading.reader"),
    ("kafu.notation.stream.tape", "kafu.notation.stream.cut"),
    ("kafu.judging.facts", "kafu.judging.verify"),
    ("kafu.settling", "kafu.score_sheet"),
    ("kafu.editing.places", "kafu.editing.walked"),
    ("records.pages.editor.options", "records.pages.editor.page"),
    # The archive's rooms, each the one above it
    ("records.base.zstd", "records.serving"),
    ("records.archives.bounds", "records.models"),
    ("records.serving.in_flight", "records.archives"),
    ("records.models.heartbeats", "records.privacy"),
    ("records.privacy.access", "records.work.heartbeats"),
    ("records.work.time_limits", "records.totals"),
    ("records.totals.layout", "records.store"),
    ("records.store.rows", "records.intake"),
    ("records.intake.files", "records.search"),
    ("records.search.games", "records.statistics"),
    ("records.search.players", "records.opendata"),
    ("records.statistics.answer", "records.operations"),
    ("records.opendata.months", "records.statistics"),
    ("records.operations.backup", "records.pages"),
    ("records.management.arguments", "records.pages"),
    ("records.pages.dates", "records.urls"),
    # What is in them
    ("records.base.clock", "records.base.keys"),
    ("records.archives.frames", "records.archives.walk"),
    ("records.serving.cache", "records.serving.cached_responses"),
    ("records.privacy.revisions", "records.privacy.redaction"),
    ("records.totals.scopes", "records.totals.sums_of_games"),
    ("records.search.selection", "records.search.filters"),
    ("records.intake.receiving", "records.intake.cutting"),
    ("records.store.rows", "records.store.ownership"),
    ("records.models.games", "records.models.uploads"),
    ("records.statistics.questions", "records.statistics.gather"),
    ("records.opendata.cells", "records.opendata.making"),
    ("records.operations.health", "records.operations.rebuild"),
    ("records.pages.card_views", "records.pages.game"),
    ("records.pages.rulebook.text", "records.pages.rules"),
    ("records.pages.game.excerpt", "records.pages.game.pictures.picture"),
    ("records.pages.rulebook.outline", "records.pages.rulebook.book"),
    ("records.pages.lists.paging", "records.pages.lists.games"),
    ("records.pages.rules.odds", "records.pages.rules.cards"),
    ("records.pages.statistics.answers", "records.pages.statistics.page"),
    ("records.pages.correction", "records.pages.game"),
    # Packages beside the archive
    ("records.base.site", "people"),
    ("records.base.site", "api"),
    ("people.models", "people.views"),
    ("people.models", "people.tokens"),
    ("people.context", "api"),
    ("people.accounts.mails", "people.accounts.adapter"),
    ("api.report", "hanaarchive"),
    ("api.problems", "api.views"),
    ("api.views.schema", "api.views.me"),
    ("api.serializers.quota", "api.serializers.odds"),
    ("hanaarchive.metrics", "hanaarchive.http"),
    ("hanaarchive.http.static", "hanaarchive.http.security"),
    ("hanaarchive.web.requests", "hanaarchive.web.connections"),
    ("hana.errors", "kafu.cards"),
    ("hana.errors", "hana.server"),
    # What no layer says
    ("records.archives.zips", "kafu.rules"),
    ("records.archives.frames", "django"),
    ("records.statistics.figures.versus", "records.statistics.figures.seats"),
    ("records.statistics.figures.seats", "records.statistics.figures.versus"),
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says of the packages with all `STRAY` imports in them."""
    directory = tmp_path_factory.mktemp("stray")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("static", "__pycache__")
        shutil.copytree(ROOT / package, directory / package, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", directory)
    for module, target in STRAY:
        with _path(directory, module).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {target}\n")
    done = lint_imports(directory)
    assert done.returncode == 1
    return done.stdout


def _path(directory: Path, module: str) -> Path:
    if module.startswith("kafu."):
        directory /= "kafu/src"
    return directory / f"{module.replace('.', '/')}.py"


@pytest.mark.parametrize(("module", "target"), STRAY)
def test_an_import_upwards_is_found(told: str, module: str, target: str) -> None:
    if "figures" in module:  # a circle, told by the names of its two modules
        parent, _dot, name = module.rpartition(".")
        assert f"No cycles are allowed in {parent}." in told
        assert re.search(rf"- \.({name}|{target.rpartition('.')[2]}) -> ", told)
    else:
        # A package that is no other's container is told by its name, or by a module of it.
        assert re.search(rf"{re.escape(module)} -> {re.escape(target)}\b", told)


def modules() -> Iterator[Path]:
    """The modules of application and library, without what makemigrations writes."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def test_no_module_or_function_is_long_and_no_folder_full() -> None:
    folders = Counter[Path]()
    for path in modules():
        if path.name != "__init__.py":
            folders[path.parent] += 1
        text = path.read_text(encoding="utf-8")
        if path not in LONG:
            assert len(text.splitlines()) <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{path}: {node.name}"
    assert folders.most_common(1)[0][1] <= 15, folders.most_common(5)


def test_no_script_of_the_pages_is_long() -> None:
    for path in sorted((ROOT / "records/static/records").rglob("*.js")):
        if "vendor" not in path.parts:
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


#: All settings stand in one place, each with its reason.
LONG = frozenset({ROOT / "hanaarchive/settings.py"})


#: Classes that may have one name in several modules of the archive, and why.
SAME_NAME = {
    "Command": "Django's name of a command",
    "Call": "a statement of a record, and the action that it becomes",
    "Claim": "each machine's own",
    "Declaration": "hachihachi's own, and what all rulesets' have in common",
    "Event": "the machines', and what `import kafu` shows of it",
    "House": "each machine's own",
    "Line": "a line of a ledger; the line in which a sender's jobs wait",
    "Record": "a record as `import kafu` reads it; the archive's row of one",
    "Show": "a statement of a record, and the action that it becomes",
    "State": "each machine's own",
}


def test_a_name_means_one_thing() -> None:
    """No public class of the archive has the name of another, of its own or of the library's."""
    places = defaultdict(list)
    for path in modules():
        if path.is_relative_to(ROOT / "hana"):
            continue  # a program of its own
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice.keys() - SAME_NAME.keys() == set(), twice
    assert SAME_NAME.keys() <= twice.keys(), "these names are single now"
