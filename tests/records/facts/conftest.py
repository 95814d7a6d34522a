"""Fixtures of tests of facts."""

import shutil
from pathlib import Path

import pytest

from records.facts.parts import find_live, get_storage
from records.models import FactPart
from tests.records.makers import ingest, text


@pytest.fixture(autouse=True)
def empty_storage() -> None:
    """Remove the files of parts of earlier tests."""
    shutil.rmtree(get_storage().path(""), ignore_errors=True)


@pytest.fixture(scope="module")
def files_of_three_parts(rows_for_all: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store three games in three parts for all tests of a module; return a copy of their files."""
    folder = get_storage().path("")
    shutil.rmtree(folder, ignore_errors=True)
    for seed in (1, 2, 3):
        ingest(text(seed, months="2").encode())
    return Path(shutil.copytree(folder, tmp_path_factory.mktemp("parts") / "facts"))


@pytest.fixture
def three_parts(files_of_three_parts: Path, empty_storage: None, db: None) -> list[FactPart]:
    """Three games in three parts."""
    shutil.copytree(files_of_three_parts, get_storage().path(""), dirs_exist_ok=True)
    return list(find_live())
