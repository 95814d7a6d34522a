"""Normalized spelling of names: equal names, different names, and invariants of any text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.base.keys import fold, player_name
from records.base.spelling import SEPARATORS, NormalizedLetters, compose, letters, normalized

#: Alphabets of names and of separators.
KIND = (
    "aAßİé１Ａｱｶﾞカが゛花山田·・_-‐ー〜 　\t\u200b\u00ad\u3099\u0301①ⅳ김ᄀ",
    "".join(sorted(SEPARATORS)),
)
NAMES = st.one_of(st.text(), *(st.text(alphabet=one) for one in KIND))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Hanako Yamada", "HANAKO  YAMADA"),
        ("Hanako Yamada", "hanako_yamada"),
        ("Hanako Yamada", "Hanako-Yamada "),
        ("Hanako Yamada", "Ｈａｎａｋｏ　Ｙａｍａｄａ"),
        ("Hanako Yamada", "Hanako\u2011Yamada"),
        ("Hanako Yamada", "Ha\u200bnako\u00a0Yamada\u200e"),
        ("山田花子", "山田 花子"),
        ("山田花子", "山田　花子"),
        ("山田花子", "山田・花子"),
        ("ハナコ ヤマダ", "ﾊﾅｺ･ﾔﾏﾀﾞ"),
        ("花子2", "花子 ２"),
        ("Straße", "STRASSE"),
        ("が", "か\u3099"),
        ("葛\U000e0100城", "葛城"),
    ],
)
def test_spellings_of_one_name_are_normalized_alike(first: str, second: str) -> None:
    assert normalized(first) == normalized(second)
    assert letters(first) == letters(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bot 1 2", "Bot 12"),
        ("Aya Sato", "Ayasato"),
        ("はな", "ハナ"),
        ("カー", "カ"),
        ("Aya", "Áya"),
        ("-", "--"),
        ("花", "華"),
    ],
)
def test_names_of_two_players_are_normalized_differently(first: str, second: str) -> None:
    assert normalized(first) != normalized(second)


@pytest.mark.parametrize("name", ["-", "・・・", "_", "\u200b", "- -"])
def test_name_of_separators_alone_is_unchanged(name: str) -> None:
    assert normalized(name) == name


@given(NAMES)
def test_normalized_name_is_normalized_to_itself(name: str) -> None:
    result = normalized(name)
    assert normalized(result) == result


@given(NAMES, st.sampled_from(sorted(SEPARATORS)))
def test_case_and_separators_are_ignored(name: str, separator: str) -> None:
    result = normalized(name)
    assert normalized(f"{separator}{name}{separator}") == result or not letters(name)
    assert normalized(name.casefold()) == result or not letters(name)
    assert normalized(result.replace(" ", separator)) == result or not letters(name)


@given(NAMES)
def test_letters_are_found_at_their_places(text: str) -> None:
    letters_of_text = NormalizedLetters(text)
    assert (
        len(letters_of_text.text)
        == len(letters_of_text.start)
        == len(letters_of_text.end)
        == len(letters_of_text.apart)
    )
    assert letters_of_text.start == sorted(letters_of_text.start)
    for place, letter in enumerate(letters_of_text.text):
        assert (
            letter
            in NormalizedLetters(
                text[letters_of_text.start[place] : letters_of_text.end[place]]
            ).text
        )


@given(st.text(alphabet=KIND[0]))
def test_letters_with_places_equal_those_of_the_whole(text: str) -> None:
    assert NormalizedLetters(text).text == letters(text)


def test_heaped_marks_are_dropped() -> None:
    heap = "a" + "\u0301\u0316" * 200_000
    assert len(letters(heap)) < 100
    assert len(letters("a" + "\u0301ﾞ" * 200_000)) < 100


@pytest.mark.parametrize("normalize", [compose, fold, normalized, player_name])
def test_marks_are_not_sorted_in_quadratic_time(normalize: Callable[[str], str]) -> None:
    start = time.process_time()
    for marks in ("\u0301\u0316", "\u0f73", "\u0301ﾞ"):
        assert len(normalize("a" + marks * 50_000)) < 100
    assert time.process_time() - start < 3
