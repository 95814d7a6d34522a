"""Differences between two texts of a game."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu.notation import difference
from kafu.notation.difference import Change, differences
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

TEXT = write(simulate("hachihachi", seed=1))


def test_equal_texts_have_no_difference() -> None:
    assert list(differences(TEXT, TEXT)) == []


def test_changed_turn_has_its_deal_and_round() -> None:
    turn = next(line for line in TEXT.splitlines() if line.startswith("5. "))
    first = turn.split()[1]
    changed = TEXT.replace(turn, turn.replace(first, "v/A {what a turn}", 1), 1)
    assert list(differences(TEXT, changed)) == [Change(1, 5, first, "v/A {what a turn}")]


def test_changed_tag_is_before_the_first_deal() -> None:
    changed = TEXT.replace('[Player2 "Ben"]', '[Player2 "Bea"]')
    assert list(differences(TEXT, changed)) == [Change(0, 0, '[Player2 "Ben"]', '[Player2 "Bea"]')]


def test_added_deals_and_a_removed_claim_are_found() -> None:
    months = TEXT.split("\nmonth ")
    assert [change.deal for change in differences("\nmonth ".join(months[:3]), TEXT)] == [
        *range(3, len(months))
    ]
    claim = next(line for line in TEXT.splitlines() if line.startswith("score"))
    assert list(differences(TEXT, TEXT.replace(f"{claim}\n", "", 1))) == [Change(1, 0, claim, "")]


def test_change_of_a_continued_line_belongs_to_its_round() -> None:
    words = " ".join(["long"] * 40)
    game = simulate("koikoi", seed=2)
    before = write(game)
    game.months[0].turns[2].comments = [words]
    (change,) = differences(before, write(game))
    assert (change.deal, change.round) == (1, 2)
    assert change.after.split() == f"{{{words}}}".split()


def test_changes_over_the_limit_are_one_change_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = TEXT.splitlines(keepends=True)
    first, third = [i for i, line in enumerate(lines) if line.startswith(("1. ", "3. "))][:2]
    lines[first], lines[third] = "1. A/B\n", "3. A/B\n"
    changed = "".join(lines)
    assert len(list(differences(TEXT, changed))) > 1
    monkeypatch.setattr(difference, "MAX_STEPS", 10)
    (change,) = differences(TEXT, changed)
    assert (change.deal, change.round) == (1, 1)
    assert change.after.startswith("A/B ") and change.after.endswith(" A/B")


@pytest.mark.parametrize("count", [60, 1000])
def test_repeated_comments_are_compared_in_linear_time(count: int) -> None:
    month = "\nmonth 1 dealer 1\n"
    before, after = month + "{a} " * count, month + "{a} {b} " * (count // 2)
    start = time.process_time()
    assert [change.deal for change in differences(before * 64, after * 64)][-1] == 64
    assert time.process_time() - start < 3


@given(st.text(max_size=60), st.text(max_size=60))
def test_differences_of_any_texts_are_real_changes(before: str, after: str) -> None:
    changes = list(differences(before, after))
    assert all(change.before != change.after for change in changes)
