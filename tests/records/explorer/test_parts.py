"""Places of situations, packed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from records.explorer.parts import Found, matching, pack, unpack

KEYS = st.binary(min_size=5, max_size=5) | st.sampled_from(
    [b"aaaaa", b"aaaab", b"aabaa", b"\0" * 5]
)
PLACES = st.builds(
    Found,
    st.integers(1, (1 << 32) - 1),
    st.integers(1, 64),
    st.integers(0, 500),
    st.integers(0, 4095),
    st.integers(-(1 << 31), (1 << 31) - 1),
)


@given(st.lists(st.tuples(KEYS, PLACES), max_size=30))
def test_what_goes_in_comes_out(places: list[tuple[bytes, Found]]) -> None:
    packed = pack(places)
    assert unpack(packed) == sorted(places)
    for key in {key for key, _place in places} | {b"aaaaa"}:
        assert list(matching(packed, key)) == sorted(one for rest, one in places if rest == key)
