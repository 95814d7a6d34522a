"""Differences between two texts of a game."""

from __future__ import annotations

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


def test_deal_over_the_limit_is_one_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difference, "MOST_UNITS", 10)
    changed = TEXT.replace("month 1 dealer 2", "month 1 dealer 1")
    (change,) = differences(TEXT, changed)
    assert change.deal == 1
    assert change.after.startswith("month 1 dealer 1\n")


@given(st.text(max_size=60), st.text(max_size=60))
def test_differences_of_any_texts_are_real_changes(before: str, after: str) -> None:
    changes = list(differences(before, after))
    assert all(change.before != change.after for change in changes)
