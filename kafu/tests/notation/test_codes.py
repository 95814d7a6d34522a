"""Every code of the data file has a constant, and its constant the data."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from kafu.notation.codes import TEXTS
from kafu.notation.faults import Code
from kafu.rules.codes import CODES


def test_every_text_of_the_data_file_has_a_constant() -> None:
    assert TEXTS.keys() == CODES.keys()
    assert all(re.fullmatch("[a-z][a-z-]+", id) for id in CODES)


def test_data_file_has_each_code_once() -> None:
    text = (files("kafu.notation") / "codes.json").read_text(encoding="utf-8")
    ids = [id for id, value in json.loads(text, object_pairs_hook=list) if value]
    assert len(ids) == len(set(ids)) == len(TEXTS)


def test_doubled_brace_in_a_message_is_written_as_one() -> None:
    code = Code("x", "closed with }}", "}} で閉じる")
    assert code.text("en", {}) == "closed with }"
