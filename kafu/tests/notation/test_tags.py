"""Tags: form, values, required tags, duplicates."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from notation.texts import KAN_TAGS, TAGS, fault, read_game, warnings

MONTH = "month 1 dealer 1\n"


def test_tags_are_read_in_any_order_with_escaped_values() -> None:
    game = read_game(
        '[Kafu "1"]\n[Player2 "B \\"b\\" \\\\"]\n[Rules "koikoi"]\n'
        '[Options "months=8 profile=koikoi-ai"]\n'
        '[Own-tag "kept {as} it; is"]\n[Player1 ""]\n[Result "+5 -3"]\n' + MONTH
    )
    assert game.players == ("", 'B "b" \\')
    assert game.options == {"months": "8", "profile": "koikoi-ai"}
    assert game.tags == {"Own-tag": "kept {as} it; is"}
    assert game.result == (5, -3)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('[ "x"]', 3),
        ("[Event x]", 8),
        ('[Event "x]', 11),
        ('[Event "x"', 11),
        ('[Event "x"] y', 13),
        ('[Ev ent "x"]', 5),
        ("[", 2),
        ("[" + "A" * 65 + ' "x"]', 66),
    ],
)
def test_malformed_tag_is_refused_at_its_place(line: str, column: int) -> None:
    assert fault(TAGS + line + "\n" + MONTH) == ("bad-tag", 5, column)


def test_wrong_tag_is_refused_by_its_code() -> None:
    for old, new, code in [
        ('[Kafu "1"]\n', "", "first-tag"),
        ('[Kafu "1"]', '[Kafu "2"]', "bad-version"),
        ('[Rules "koikoi"]\n', "", "missing-tag"),
        ('"koikoi"', '"poker"', "unknown-rules"),
        ('[Player1 "Aya"]\n', "", "missing-player"),
        ('[Player2 "Ben"]\n', "", "missing-player"),
        ('[Player2 "Ben"]', '[Player2 "Ben"]\n[Player3 "C"]', "too-many-players"),
        ('[Player2 "Ben"]', '[Player2 "Ben"]\n[Player0 "C"]', "no-such-seat"),
        ('[Player2 "Ben"]', '[Player1 "Ben"]', "tag-twice"),
        ("month", '[Options "months"]\nmonth', "unknown-option"),
        ("month", '[Options "ba=A"]\nmonth', "unknown-option"),
        ("month", '[Options "months=0"]\nmonth', "bad-option-value"),
        ("month", '[Options "months=8 months=8"]\nmonth', "option-twice"),
        ("month", '[Termination "resigned 3"]\nmonth', "unknown-termination"),
        ("month", '[Termination ""]\nmonth', "unknown-termination"),
        ("month", '[Sheet "2"]\nmonth', "bad-sheet"),
        ("month", '[Result "+5"]\nmonth', "bad-amounts"),
        ("month", '[Result "+5k 0"]\nmonth', "no-kan"),
        ("month", f'[Event "{"花" * 1366}"]\nmonth', "tag-too-long"),
        ("dealer 1\n", 'dealer 1\n[Event "x"]\n', "tag-after-month"),
        ("month", "".join(f'[T{n} ""]\n' for n in range(253)) + "month", "too-many-tags"),
    ]:
        text = TAGS + MONTH
        assert old in text
        assert fault(text.replace(old, new, 1))[0] == code


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("months=49", ("1…48",)),
        ("goko=007", ("0…999",)),
        ("goko=\u0667", ("0…999",)),
        ("shibori=10", ("0…9",)),
        ("rain=maybe", ("yes", "no")),
        ("profile=x", ("koikoi", "koikoi-ai", "koikoi-nintendo")),
    ],
)
def test_wrong_option_names_the_expected_values(option: str, expected: tuple[str, ...]) -> None:
    fault = read(TAGS + f'[Options "{option}"]\n' + MONTH).fault
    assert fault is not None
    assert (fault.code.id, fault.expected) == ("bad-option-value", expected)


def test_value_as_long_as_the_limit_is_read() -> None:
    assert read_game(TAGS + f'[Event "{"a" * 4096}"]\n' + MONTH).tags["Event"] == "a" * 4096


SAME_DAY = (
    *(
        "2026/2/3",
        "2026-2-3",
        "2026.02.03",
        "２０２６－０２－０３",
        "2026年2月3日",
        "２０２６年　２月　３日",
    ),
    *("20260203", "令和8年2月3日", "令和八年二月三日", "㋿8年2月3日", "R8.2.3", "2026年2月3日(火)"),
    *(
        "2026-02-03T12:30:00Z",
        "2026/2/3 9:05",
        "2026年2月3日(火) 12時30分",
        "2026-02-03 12:30 +09:00",
    ),
    *("2026年2月3日火曜日", "二〇二六年二月三日", "2026–02–03", "2026/02/03 (Tue)"),
    *("3 Feb 2026", "Feb 3, 2026", "february 3rd, 2026", "3. FEB. 2026", "3-Feb-2026"),
    *("Tue, 3 Feb 2026 21:30", "Tuesday, February 3, 2026", "3rd of February 2026", "2026 Feb 3"),
    *("Feb 3, 2026, 9:30 PM", "西暦2026年2月3日", "2026年2月3号", "2026. 2. 3."),
)


@pytest.mark.parametrize(
    "value", ["2026-01-03", "2026-01-??", "2026-??-??", "2026-01", "2026", "????"]
)
def test_valid_date_has_no_warning(value: str) -> None:
    assert not warnings(TAGS + f'[Date "{value}"]\n' + MONTH)


def test_date_with_the_year_first_becomes_iso_with_a_warning() -> None:
    for written, expected in [
        *((written, "2026-02-03") for written in SAME_DAY),
        ("2026.02.??", "2026-02-??"),
        ("2026年2月?日", "2026-02-??"),
        ("2026/2", "2026-02"),
        ("Feb 2026", "2026-02"),
        ("Sept 2026", "2026-09"),
        ("????.??.??", "????-??-??"),
        ("????/??/??", "????-??-??"),
        ("?", "????-??-??"),
        ("令和元年", "2019"),
        ("R1.5", "2019-05"),
        ("㍻31年4月30日", "2019-04-30"),
        ("昭和64年1月7日", "1989-01-07"),
        ("大正十五年十二月二十四日", "1926-12-24"),
        ("M45/7/29", "1912-07-29"),
    ]:
        text = TAGS + f'[Date "{written}"]\n' + MONTH
        assert warnings(text) == [("alias", 5, 1)]
        assert read_game(text).tags["Date"] == expected


def test_spellings_of_a_date_share_the_identity() -> None:
    games = [read_game(TAGS + f'[Date "{day}"]\n' + MONTH) for day in ("2026-02-03", *SAME_DAY)]
    assert len({identity(game) for game in games}) == 1


def test_other_dates_are_kept_with_a_warning() -> None:
    for written, code in [
        *((written, "no-such-date") for written in ("2026-13", "2026-01-32", "2026-02-30")),
        *((written, "no-such-date") for written in ("2026/2/29", "令和8年13月", "????-02-30")),
        *((written, "bad-date") for written in ("3.1.2026", "02/03/26", "2026/2-3", "May 3", "")),
        *((written, "bad-date") for written in ("3 Feb 26", "Febr 3, 2026", "令和????年")),
        *(
            (written, "doubtful-date")
            for written in ("1599-12-31", "0000-02-29", "0000", "2999-01-01", "2999")
        ),
        *(
            (written, "bad-date")
            for written in ("8年2月3日", "平成40年", "明治5年3月3日", "令和0年")
        ),
        *((written, "bad-date") for written in ("9" * 4000, "2026-2027", "2026/2/3 evening")),
    ]:
        text = TAGS + f'[Date "{written}"]\n' + MONTH
        assert warnings(text) == [(code, 5, 1)]
        assert read_game(text).tags["Date"] == written


def test_date_that_can_be_today_somewhere_has_no_warning() -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    after = tomorrow + timedelta(days=1)
    assert not warnings(TAGS + f'[Date "{tomorrow}"]\n' + MONTH)
    assert warnings(TAGS + f'[Date "{after}"]\n' + MONTH) == [("doubtful-date", 5, 1)]


@pytest.mark.parametrize("value", ["*", "?", "", "-", "? ?"])
def test_result_that_claims_nothing_is_left_out_with_a_warning(value: str) -> None:
    text = TAGS + f'[Result "{value}"]\n' + MONTH
    assert warnings(text) == [("no-claim", 5, 1)]
    assert read_game(text) == read_game(TAGS + MONTH)


@pytest.mark.parametrize(
    ("written", "value", "column"),
    [
        ("C:\\games\\", "C:\\games\\", 12),
        ("\\", "\\", 10),
        ("a\\\\b\\", "a\\b\\", 14),
    ],
)
def test_backslash_before_the_closing_quote_is_kept_with_a_warning(
    written: str, value: str, column: int
) -> None:
    text = TAGS + f'[Source "{written}"]\n' + MONTH
    assert warnings(text) == [("bad-escape", 5, column)]
    assert read_game(text).tags["Source"] == value


def test_quote_within_a_value_is_refused_with_a_word_about_backslashes() -> None:
    fault = read(TAGS + '[Event "a "b" c"]\n' + MONTH).fault
    assert fault is not None and fault.code.id == "bad-tag"
    assert '\\"' in fault.message() and "\\\\" in fault.message("ja")


def test_known_tag_in_another_case_is_read_with_a_warning() -> None:
    text = (TAGS + '[Date "2026-02-03"]\n').replace("[Kafu", "[kafu") + MONTH
    text = text.replace("[Player1", "[player1").replace("[Date", "[DATE")
    assert warnings(text) == [("alias", 1, 1), ("alias", 3, 1), ("alias", 5, 1)]
    assert read_game(text) == read_game(TAGS + '[Date "2026-02-03"]\n' + MONTH)


def test_ruleset_and_termination_with_capitals_are_read_with_warnings() -> None:
    text = TAGS.replace("koikoi", "Koikoi") + '[Termination "Resigned 2"]\n' + MONTH
    assert warnings(text) == [("alias", 2, 1), ("alias", 5, 1)]
    game = read_game(text)
    assert (game.rules, game.tags["Termination"]) == ("koikoi", "resigned 2")


def test_unknown_event_site_and_round_are_left_out_with_warnings() -> None:
    text = TAGS + '[Event "?"]\n[Site "??"]\n[Round "-"]\n[Source ""]\n' + MONTH
    assert warnings(text) == [("no-claim", line, 1) for line in (5, 6, 7)]
    assert read_game(text).tags == {"Source": ""}


def test_values_of_tags_are_composed_to_nfc() -> None:
    apart = TAGS.replace("Aya", "が").replace("Ben", "e\u0301") + '[Event "u\u0308"]\n' + MONTH
    game = read_game(apart.replace("が", "か\u3099"))
    assert (*game.players, game.tags["Event"]) == ("が", "é", "ü")
    assert identity(game) == identity(read_game(apart))
    game.players = ("か\u3099", "é")
    assert identity(game) == identity(read_game(apart))


def test_full_width_characters_of_a_tag_are_repaired() -> None:
    text = TAGS.replace('[Player1 "Aya"]', "　［Ｐｌａｙｅｒ１　＂Ａya＂］") + MONTH
    assert warnings(text) == [("character-repaired", 3, 1)]
    assert read_game(text).players[0] == "Ａya"
    text = TAGS.replace('"koikoi"', '"ｋoikoi"') + MONTH
    assert warnings(text) == [("character-repaired", 2, 9)]
    text = TAGS.replace('[Player1 "Aya"]', '[Player1\u00a0"A\u00a0a"\u2009]') + MONTH
    assert warnings(text) == [("character-repaired", 3, 9)]
    assert read_game(text).players[0] == "A\u00a0a"


def test_lone_backslash_is_kept() -> None:
    text = TAGS + '[Event "a\\b\\\\"]\n' + MONTH
    assert warnings(text) == [("bad-escape", 5, 10)]
    assert read_game(text).tags["Event"] == "a\\b\\"


def test_blanks_of_a_termination_are_collapsed() -> None:
    assert (
        read_game(TAGS + '[Termination " resigned  2"]\n' + MONTH).tags["Termination"]
        == "resigned 2"
    )


def test_result_in_kan_is_read_as_points() -> None:
    assert read_game(KAN_TAGS + '[Result "+13k +71k -84k"]\n' + MONTH).result == (156, 852, -1008)


def test_marks_of_a_tag_are_not_sorted_in_quadratic_time() -> None:
    start = time.process_time()
    for marks in ("\u0301\u0316", "\u0f73", "\u0344\u0316"):
        value = marks * (200_000 // len(marks))
        assert fault(f'{TAGS}[Event "{value}"]\n{MONTH}')[0] == "tag-too-long"
        reading = read(f'{TAGS}[Date "{value[:900]}"]\n{MONTH}')
        assert reading.game is not None and reading.game.tags["Date"] == value[:900]
    assert time.process_time() - start < 3


def test_value_with_more_marks_than_any_script_uses_stays_as_written() -> None:
    few, many = "が\u0316" + "か\u3099", "か" + "\u3099\u0316" * 16
    game = read_game(f'{TAGS}[Event "{few}"]\n[Site "{many}"]\n{MONTH}')
    assert game.tags == {"Event": "が\u0316が", "Site": many}


@pytest.mark.parametrize("written", ["Aya ", " Aya", "\tAya", "Aya\u3000"])
def test_blanks_around_a_name_are_removed(written: str) -> None:
    trimmed = read_game(TAGS + MONTH)
    game = read_game(TAGS.replace("Aya", written) + MONTH)
    assert game.players == ("Aya", "Ben")
    game.players = (written, "Ben")
    assert identity(game) == identity(trimmed)
