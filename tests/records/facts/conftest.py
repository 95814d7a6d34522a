"""Fixtures of tests of facts."""

import shutil

import pytest

from records.facts.parts import get_storage


@pytest.fixture(autouse=True)
def empty_storage() -> None:
    """Remove the files of parts of earlier tests."""
    shutil.rmtree(get_storage().path(""), ignore_errors=True)
