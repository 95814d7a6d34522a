"""Arguments of commands."""

from argparse import ArgumentTypeError

import pytest

from kafu.cli.arguments import whole_number
from records.management.arguments import seconds, share


def test_whole_number_in_its_range_is_read() -> None:
    assert whole_number(1, 9)("9") == 9


@pytest.mark.parametrize("written", ["0", "10", "-1", "x", "", "1.5", "²", "9" * 5000])
def test_word_that_is_no_whole_number_in_range_is_refused(written: str) -> None:
    with pytest.raises(ArgumentTypeError, match="expected a whole number from 1 to 9"):
        whole_number(1, 9)(written)


def test_invalid_number_of_seconds_is_refused() -> None:
    assert seconds("0.5") == 0.5
    for written in ("-1", "nan", "inf", "x", "1e9"):
        with pytest.raises(ArgumentTypeError, match="expected seconds"):
            seconds(written)


def test_invalid_share_is_refused() -> None:
    assert share("2/8") == (2, 8)
    for written in ("", "2", "0/8", "9/8", "2/x", "²/8", "-1/8", "1/2/3"):
        with pytest.raises(ArgumentTypeError, match="expected a share"):
            share(written)
