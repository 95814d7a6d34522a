"""Logical lines: comments removed, characters repaired, places preserved."""

from __future__ import annotations

from functools import partial

import pytest

from kafu.notation.faults import Code, Fault, Malformed
from kafu.notation.game import Place
from kafu.notation.reading.source import SourceLine, SourceLines, add_warning, clip, collapse


def read(text: str) -> tuple[list[str], list[Fault]]:
    warnings: list[Fault] = []
    return [line.text for line in SourceLines(text, 1, partial(add_warning, warnings))], warnings


def read_line(text: str, number: int = 1) -> tuple[SourceLine, list[tuple[Place, str]]]:
    """Return the only logical line of a text, and its comments."""
    lines = SourceLines(text, number, ignore)
    (line,) = lines
    return line, lines.comments


def ignore(code: Code, place: Place, **values: object) -> None:
    """Ignore a warning."""


def test_lines_without_text_are_left_out() -> None:
    assert read("a b\n\n \t\nc") == (["a b", "c"], [])


def test_comment_across_lines_is_a_blank_of_one_logical_line() -> None:
    line, comments = read_line("ab{x}cd {y\n z} ef ; g\n", 5)
    assert line.text == "ab cd   ef "
    assert comments == [((5, 3), "x"), ((5, 9), "y z"), ((6, 8), "g")]
    assert [line.at(position) for position in (0, 1, 3, 4, 8)] == [
        (5, 1),
        (5, 2),
        (5, 6),
        (5, 7),
        (6, 5),
    ]
    assert [line.word(index) for index in range(4)] == [(5, 1), (5, 6), (6, 5), (6, 7)]


def test_brace_in_a_comment_opens_no_other_and_empty_comments_are_dropped() -> None:
    line, comments = read_line("a {b {c} {} { \t} d")
    assert line.text.split() == ["a", "d"]
    assert comments == [((1, 3), "b {c")]


@pytest.mark.parametrize("text", ['[A "{;\\"{"] x', '[A "{'])
def test_brace_in_a_quoted_value_begins_no_comment(text: str) -> None:
    line, comments = read_line(text)
    assert line.text == text
    assert line.tag
    assert not comments


def test_comments_before_and_behind_a_tag_are_taken_from_its_line() -> None:
    line, comments = read_line('{a} [A "{"] {b} ; c')
    assert line.tag
    assert line.text.strip() == '[A "{"]'
    assert [words for _, words in comments] == ["a", "b", "c"]


def test_comment_without_an_end_is_refused_at_its_begin() -> None:
    with pytest.raises(Malformed) as caught:
        list(SourceLines("a\nb {c\nd", 1, ignore))
    fault = caught.value.fault
    assert (fault.code.id, fault.line, fault.column) == ("comment-not-closed", 2, 3)


def test_full_width_characters_are_repaired_outside_of_comments() -> None:
    texts, warnings = read("１．　ＡｘＢ／Ｃ：\n花 {花：} ［Ｘ")
    assert texts[0] == "1. AxB/C:"
    assert [(w.code.id, w.line, w.column) for w in warnings] == [
        ("character-repaired", 1, 1),
        ("character-repaired", 2, 8),
    ]
    line, comments = read_line("a ｛花：｝ b ；c：")
    assert line.text.split() == ["a", "b"]
    assert [words for _, words in comments] == ["花：", "c："]


def test_text_is_collapsed_to_single_blanks_and_clipped() -> None:
    assert collapse(" a\t\n b　c ") == "a b　c"
    assert clip("a" * 50, 10) == "a" * 9 + "…"
