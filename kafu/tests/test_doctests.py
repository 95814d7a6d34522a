"""Every example in the library's docstrings and guide works."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import kafu

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[1] / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(kafu.__path__, "kafu.")
    if not module.name.endswith("__main__")
)
#: Values and type aliases without a docstring of their own.
TYPES = {"ActionKind", "EventKind", "PhaseName", "Status", "Strategy"}
PLAIN = {"STRATEGIES", "__version__", *TYPES}


def test_examples_of_every_module_work() -> None:
    names = [name for name in ("kafu", *MODULES) if has_examples(name)]
    assert names
    failures = {
        name: doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed
        for name in names
    }
    assert failures == dict.fromkeys(names, 0)


def has_examples(name: str) -> bool:
    """Return whether the source of a module has an example.

    The source of a compiled module is not read, so compiled modules are always searched.
    """
    path = importlib.import_module(name).__file__ or ""
    return not path.endswith(".py") or ">>> " in Path(path).read_text(encoding="utf-8")


def test_every_public_name_has_a_docstring_with_an_example_that_works() -> None:
    """Examples of errors are found only here, as their module is `kafu`."""
    finder = doctest.DocTestFinder(recurse=False, exclude_empty=False)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for name in sorted(set(kafu.__all__) - PLAIN):
        value = getattr(kafu, name)
        assert inspect.getdoc(value), name
        (test,) = finder.find(value, name, globs={})
        assert test.examples, f"{name} has no example"
        runner.run(test)
        assert not runner.failures, name


def test_public_names_exist_and_another_is_an_error() -> None:
    assert set(kafu.__all__) <= set(dir(kafu))
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        kafu.reed  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "page",
    [DOCS / "guide.md", DOCS / "bots.md", DOCS.parent / "README.md"],
    ids=lambda page: page.stem,
)
def test_examples_of_pages_work(
    page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Run a page in an empty folder, as the guide writes files. A fence ends an example."""
    monkeypatch.chdir(tmp_path)
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert test.examples
    assert not runner.failures
