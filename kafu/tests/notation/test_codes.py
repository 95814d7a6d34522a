"""The codes of reading are unique, with the same values in both languages."""

from __future__ import annotations

import re
from string import Formatter

from kafu.notation import codes
from kafu.notation.faults import Code

CODES = [code for code in vars(codes).values() if isinstance(code, Code)]


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_ids_of_codes_are_unique() -> None:
    ids = [code.id for code in CODES]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch("[a-z][a-z-]+", name) for name in ids)


def test_japanese_message_uses_only_values_of_the_english_one() -> None:
    assert not [code for code in CODES if fields(code.ja) - fields(code.en)]


def test_doubled_brace_in_a_message_is_written_as_one() -> None:
    code = Code("x", "closed with }}", "}} で閉じる")
    assert code.text("en", {}) == "closed with }"
