"""The tests run on the sources, or with KAFU_COMPILE=1 on the compiled modules."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

import kafu

COMPILED = os.environ.get("KAFU_COMPILE") == "1"
BUSY = (
    "analysis.policy",
    "analysis.search",
    "cards",
    "judging.playthrough",
    "judging.verify",
    "notation.reading.canonical",
    "notation.writer",
    "rules.hachihachi.machine",
    "rules.hachihachi_bga.machine",
    "rules.hanaawase.machine",
    "rules.koikoi.machine",
    "rules.play.machine",
    "rules.play.table",
    "rules.ten_five_one.machine",
    "rules.yaku",
)


@pytest.mark.parametrize("name", BUSY)
def test_judging_module_is_compiled_just_if_that_was_requested(name: str) -> None:
    """Else `make pure` was forgotten, and old code would be tested."""
    file = importlib.import_module(f"kafu.{name}").__file__
    assert file is not None
    assert (Path(file).suffix != ".py") is COMPILED


def test_compiled_and_source_modules_are_from_one_place() -> None:
    """No compiled module stands beside a package from elsewhere."""
    path = importlib.import_module("kafu.cards").__file__
    assert path is not None and kafu.__file__ is not None
    assert Path(path).parent == Path(kafu.__file__).parent
