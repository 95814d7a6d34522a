"""No function of the archive over texts of users takes more time than their length."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

import pytest
from django.http import QueryDict

from growth import UNITS, find_growth, pairs
from hanaarchive.http.masking import mask_path
from kafu.judging.position import Option
from lengths import LONG
from records.base.dates import played
from records.base.labels import person
from records.base.spelling import NormalizedLetters, letters, normalized
from records.privacy.redaction import Redaction
from records.search import filters
from records.services import repairs
from records.shapes.studies import is_branch

_REDACTION: Final = Redaction({"Hanako Yamada": "Aya", "花子": "Ben"})


def _repair(text: str) -> None:
    """Replace and leave out words at the beginning and the end of a row."""
    for row in (text, f"1. A/B{text}x"):
        for column in (8, len(row)):
            for option in (
                Option("A/…", "hand"),
                Option("2.", "round"),
                Option("show 1 a -", "show"),
            ):
                repairs.put_in(row, 1, column, option)
            for word in ("A", "1.", "show", "month 1", "=void-show 1"):
                repairs.leave_out(f"{row}\n{text}", 1, column, word)


def _read_filters(text: str) -> None:
    query = QueryDict(mutable=True)
    for name in ("player", "date", "score", "turns", "ruleset", "yaku", "q"):
        query[name] = text
    filters.read(query)


_REQUEST: Final = 16 << 10
_BODY: Final = 1 << 20
#: Functions of a text, each with the maximum length of its input.
_ENTRIES: Final[Mapping[str, tuple[Callable[[str], object], int]]] = {
    "normalized name": (normalized, 4096),
    "letters": (letters, _BODY),
    "places of letters": (NormalizedLetters, 64 << 10),
    "name in a sentence": (person, 4096),
    "redaction": (_REDACTION.redact, _BODY),
    "redaction of a report": (_REDACTION.redact_report, 64 << 10),
    "repairs": (_repair, _BODY),
    "filters": (_read_filters, _REQUEST),
    "written date": (played, 4096),
    "step of a study": (is_branch, _REQUEST),
    "path in a log": (mask_path, _REQUEST),
}


@pytest.mark.parametrize("name", _ENTRIES)
def test_repeated_unit_takes_linear_time(name: str) -> None:
    run, most = _ENTRIES[name]
    units = [*UNITS, *pairs(name, 100)] if LONG else random.Random(name).sample(UNITS, 3)
    growths = [find_growth(run, unit, most) for unit in [*units, "\u0300\u0316"]]
    assert not (too_steep := [str(growth) for growth in growths if growth]), too_steep
