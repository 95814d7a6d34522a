"""The lines around an error."""

from records.wording.faults import EXCERPT_WIDTH, excerpt

TEXT = "one\ntwo\nthree\nfour\nfive\nsix"


def test_faulty_line_has_its_neighbours() -> None:
    rows = excerpt(TEXT, first=11, line=14, column=3)
    assert [(row.number, row.text) for row in rows] == [
        (12, "two"),
        (13, "three"),
        (14, "four"),
        (15, "five"),
    ]
    assert [row.fault for row in rows] == [False, False, True, False]
    assert rows[2].caret == "  ^"


def test_first_and_last_line_have_fewer_neighbours() -> None:
    assert [row.number for row in excerpt(TEXT, first=1, line=1, column=1)] == [1, 2]
    assert [row.number for row in excerpt(TEXT, first=1, line=6, column=1)] == [4, 5, 6]


def test_caret_stays_below_full_width_characters() -> None:
    assert excerpt("松に鶴x", first=1, line=1, column=4)[0].caret == "\u3000\u3000\u3000^"


def test_long_lines_are_cut_around_the_fault() -> None:
    rows = excerpt(f"{'a' * 5000}!{'b' * 5000}\n{'c' * 5000}", first=1, line=1, column=5001)
    assert len(rows[0].text) <= EXCERPT_WIDTH
    assert rows[0].text[rows[0].caret.index("^")] == "!"
    assert len(rows[1].text) == EXCERPT_WIDTH


def test_error_outside_the_text_has_no_lines() -> None:
    assert excerpt(TEXT, first=1, line=None, column=None) == []
    assert excerpt(TEXT, first=1, line=99, column=1) == []
    assert excerpt(TEXT, first=5, line=2, column=1) == []


def test_carriage_return_and_newline_are_one_line_end() -> None:
    assert [row.text for row in excerpt("a\r\nb\r\nc", first=1, line=2, column=1)] == [
        "a",
        "b",
        "c",
    ]
