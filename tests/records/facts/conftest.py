"""Fixtures of tests of facts."""

import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files import File

from records.facts.parts import find_live, get_storage
from records.models import FactPart
from tests.records.makers import ingest, text


@pytest.fixture(autouse=True)
def empty_storage() -> None:
    """Remove the files of parts of earlier tests."""
    shutil.rmtree(settings.VAR_DIR / "facts", ignore_errors=True)


@pytest.fixture(scope="module")
def files_of_three_parts(rows_for_all: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store three games in three parts for all tests of a module; return a copy of their files."""
    folder = get_storage().path("")
    shutil.rmtree(folder, ignore_errors=True)
    for seed in (1, 2, 3):
        ingest(text(seed).encode())
    return Path(shutil.copytree(folder, tmp_path_factory.mktemp("parts") / "facts"))


@pytest.fixture
def three_parts(files_of_three_parts: Path, empty_storage: None, db: None) -> list[FactPart]:
    """Return three parts, each with one game."""
    for path in files_of_three_parts.rglob("*.parquet"):
        with path.open("rb") as content:
            get_storage().save(str(path.relative_to(files_of_three_parts)), File(content))
    return list(find_live())
