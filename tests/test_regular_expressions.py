"""Every regular expression of the product takes linear time, or a reason says why it does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import pytest

from tests.regular_expressions import Expression, find_doubts, list_expressions

_OURS: Final = "only reads files of this project"
_ONCE: Final = (
    "only matched at the beginning of a text, where its parts begin with other characters"
)
_PARTS: Final = "each part begins with a sign that the part before cannot contain"
_OWN_ARGUMENT: Final = "made of patterns in the same module, which repeat one set of characters"
#: Why an expression in doubt is linear, by module and name.
REASONS: Final[Mapping[tuple[str, str], str]] = {
    ("hanaarchive.parser", "_TRAILER"): "only reads lines of a kilobyte, to the first colon",
    ("hanaarchive.http.glued", "_GLUED"): "only reads addresses of a kilobyte",
    ("hanaarchive.http.masking", "_PARAMETER"): "only reads the addresses of this project",
    ("hanaarchive.http.static", "_COMMENT"): _OURS,
    ("people.accounts.sessions", "sign"): "the names of browsers, without repetitions",
    ("records.pages.design", "'--([\\\\w-]+): (#[0-9a-f]{6});'"): _OURS,
    ("records.pages.drawing", "'<svg[^>]*>(.*)</svg>'"): _OURS,
    ("records.pages.drawing", '\'<symbol id="(card-[^"]+)"\''): _OURS,
    ("records.pages.editor.setup", "_RANGE"): "only reads the options of rulesets",
    ("records.operations.reverify", "_NAME"): "one `.*` in a row, before the end of the row",
    ("records.pages.rulebook.book", "_ANCHORED"): _OURS,
    ("records.pages.rulebook.book", "_RULINGS"): _OURS,
    ("records.services.repairs", "_TURN"): _PARTS,
    ("kafu.facade.actions", "_WRITTEN"): _ONCE,
    ("kafu.importers.notebook.words", "_AMOUNT"): "the digits of an amount are bounded in groups",
    (
        "kafu.importers.notebook.words",
        "'(?<![0-9])\\\\s+|\\\\s+(?![0-9])'",
    ): "gives back one blank at most",
    ("kafu.importers.notebook.words", "f\"(?:{'|'.join(words)}){_BOUND}\""): "no repetitions",
    ("kafu.importers.open_hanafuda", "pattern"): "lines of a log, with one `.*` before a bracket",
    (
        "kafu.importers.open_hanafuda",
        "'|'.join((f'(?P<{kind}>{form.lead})' for kind, form in _FORMS.items()))",
    ): _ONCE,
    ("kafu.naming.statements", "_HEADS"): _ONCE,
    ("kafu.naming.statements", "_HAND_IN_WORDS"): "each word begins with a blank, and has none",
    ("kafu.naming.statements", "_WORD_SHAPE"): "a single look ahead, in one word",
    ("kafu.naming.table", "_PADDED"): "begins only at the first zero of a word",
    ("kafu.naming.translation", "_NO_CARDS"): "the blanks of a row are only read from its start",
    ("kafu.notation.difference", "_UNIT"): "`\\S+` takes the whole word where a number fails",
    ("kafu.notation.json.shape", "keys"): _OWN_ARGUMENT,
    ("kafu.notation.json.shape", "pattern"): _OWN_ARGUMENT,
    ("kafu.notation.reading.movetext", "_CALL"): _PARTS,
    ("kafu.notation.reading.movetext", "_PREFIX"): _PARTS,
    ("kafu.notation.reading.movetext", "_TURN"): _PARTS,
    ("kafu.notation.reading.plain", "f'{word} {by_seat}\\\\n'"): "bounded repetitions",
    (
        "kafu.notation.reading.plain",
        "f'month ([0-9]{{1,3}}) dealer ([1-{seats}])\\\\n{hands}field ({_CARDS})\\\\nstock"
        " (?:({_CARDS})(\\\\.\\\\.\\\\.)?|\\\\.\\\\.\\\\.)\\\\n'",
    ): "bounded repetitions",
    ("kafu.notation.reading.tags", "_TAG"): "quotes and backslashes separate its parts",
    ("kafu.notation.reading.tags", "_WIDE_TAG"): "quotes and backslashes separate its parts",
    ("kafu.notation.reading.tags", "_TAG_PARTS"): _ONCE,
    ("kafu.notation.stream.cutjson", "_TOKEN"): "cannot fail: a sign, a quote or the end follows",
    ("kafu.notation.stream.wrapping", "_FENCE"): "each tag ends with its first bracket",
    (
        "kafu.notation.stream.wrapping",
        "_NAMED",
    ): "runs of blanks are only read behind one character",
}


def test_expression_in_doubt_has_a_reason() -> None:
    in_doubt = {
        (expression.module, expression.name): (sorted(doubts), expression.pattern)
        for expression in list_expressions()
        if (doubts := find_doubts(expression))
    }
    without_reason = {key: in_doubt[key] for key in in_doubt.keys() - REASONS.keys()}
    assert not without_reason, without_reason
    unneeded = REASONS.keys() - in_doubt.keys()
    assert not unneeded, unneeded


@pytest.mark.parametrize(
    ("pattern", "doubt"),
    [
        (r"(?m)^\W*Player", "restarted"),
        (r"(?m)^\s*\[", "restarted"),
        (r"(?:[ \t]*>)+[ \t]?", "restarted"),
        (r"\s|[.:]+$", "restarted"),
        (r"\s*+:", "restarted"),
        (r"\{\s*\w+\s*\}", None),
        (r"\{\s*\w*\s*\}", "adjacent"),
        (r"(?m)^.*\S\s*/", "adjacent"),
        (r"(?m)^(?:a+)*b", "nested"),
        (r"(?m)^(?:[a-z]+-?)*!", "nested"),
        (r"(?m)^(?:=[a-z]+)*!", None),
        (r"(?m)^[^\S\n]*\[", None),
        (r"(?<![^\r\n])[^\w\r\n]*+Player", None),
        (r"[^\W\d_]+(?:’[^\W\d_]+)*", None),
    ],
)
def test_shape_of_an_expression_is_recognised(pattern: str, doubt: str | None) -> None:
    expression = Expression("", "", re.compile(pattern), is_searched=True, is_whole=False)
    assert (doubt in find_doubts(expression)) if doubt else not find_doubts(expression)
