"""Nested sums: added, subtracted, merged and written as text."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from records.base.sums import (
    TABLE,
    LazySums,
    Tally,
    add,
    add_tally,
    dumps,
    loads,
    merge_seats,
    only,
)

numbers = st.lists(st.integers(-5, 5), min_size=2, max_size=2).filter(any)
tallies = st.dictionaries(
    st.sampled_from("0123"),
    st.dictionaries(
        st.sampled_from(("yaku", "ends")),
        st.dictionaries(st.sampled_from(("a", "b", "c")), numbers, min_size=1),
        min_size=1,
    ),
)


def total(parts: list[Tally]) -> Tally:
    whole: Tally = {}
    for part in parts:
        add_tally(whole, part)
    return whole


@given(st.lists(tallies, max_size=5), st.randoms())
def test_total_does_not_depend_on_the_order(parts: list[Tally], chance: Random) -> None:
    before = [dumps(part) for part in parts]
    whole = total(parts)
    shuffled = list(parts)
    chance.shuffle(shuffled)
    assert total(shuffled) == whole
    assert [dumps(part) for part in parts] == before, "parts are not changed"


@given(st.lists(tallies, min_size=1, max_size=5))
def test_subtracted_sums_leave_no_entry(parts: list[Tally]) -> None:
    whole = total(parts)
    add_tally(whole, parts[0], -1)
    assert whole == total(parts[1:])
    add_tally(whole, total(parts[1:]), -1)
    assert whole == {}


@given(tallies)
def test_seats_are_merged_without_the_sums_of_the_table(tally: Tally) -> None:
    two = merge_seats(tally, (1, 2))
    add(two, merge_seats(tally, (2,)), -1)
    assert two == merge_seats(tally, (1,)) == merge_seats(only(tally, (1,)))
    assert only(tally, (1, 2, 3)) == tally


@given(tallies)
def test_sums_are_read_from_text_unchanged(tally: Tally) -> None:
    assert loads(dumps(tally)) == tally


@given(st.lists(tallies, max_size=4))
def test_texts_are_added_up_on_request(parts: list[Tally]) -> None:
    texts, whole = [dumps(part) for part in parts], total(parts)
    assert LazySums(lambda: texts, lambda place: place != TABLE) == merge_seats(whole)
    assert LazySums(lambda: texts, lambda place: place == "2") == whole.get("2", {})
    table = LazySums(lambda: texts, lambda place: place == TABLE)
    assert table.get("ends") == whole.get(TABLE, {}).get("ends")
    assert len(table) == len(whole.get(TABLE, {}))
