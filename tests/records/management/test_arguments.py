from argparse import ArgumentTypeError

import pytest

from kafu.cli.arguments import whole
from records.management.arguments import seconds


def test_whole_numbers() -> None:
    assert whole(1, 9)("9") == 9


@pytest.mark.parametrize("written", ["0", "10", "-1", "x", "", "1.5", "²", "9" * 5000])
def test_what_is_no_whole_number_is_reported(written: str) -> None:
    with pytest.raises(ArgumentTypeError, match="expected a whole number from 1 to 9"):
        whole(1, 9)(written)


def test_seconds() -> None:
    assert seconds("0.5") == 0.5
    for written in ("-1", "nan", "inf", "x", "1e9"):
        with pytest.raises(ArgumentTypeError, match="expected seconds"):
            seconds(written)
