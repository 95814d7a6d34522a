"""Every example in the library's docstrings and in its guide works."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import kafu

DOCS = Path(__file__).parents[1] / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(kafu.__path__, "kafu.")
    if not module.name.endswith("__main__")
)
#: Plain values and an alias of a type: the docstring of the package or of what takes them tells.
PLAIN = {"STRATEGIES", "Strategy", "__version__"}


@pytest.mark.parametrize("name", ["kafu", *MODULES])
def test_examples_of_a_module(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert not found.failed


@pytest.mark.parametrize("name", sorted(set(kafu.__all__) - PLAIN))
def test_what_is_offered_has_a_docstring_with_an_example(name: str) -> None:
    """Those of errors are found here alone: they say that they are `kafu`'s."""
    value = getattr(kafu, name)
    assert inspect.getdoc(value)
    finder = doctest.DocTestFinder(recurse=False, exclude_empty=False)
    (test,) = finder.find(value, name, globs={})
    assert test.examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert not runner.failures


def test_what_is_offered_is_there_and_nothing_else() -> None:
    assert set(kafu.__all__) <= set(dir(kafu))
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        kafu.reed  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "page", [DOCS / "guide.md", DOCS.parent / "README.md"], ids=lambda page: page.stem
)
def test_examples_of_the_guide(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In an empty folder: the guide writes its own files. A fence ends an example."""
    monkeypatch.chdir(tmp_path)
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert test.examples
    assert not runner.failures
