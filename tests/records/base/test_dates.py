"""Dates as each language writes them."""

from datetime import UTC, date, datetime

import pytest
from django.utils import translation

from records.base.dates import day, minute, played


@pytest.mark.parametrize(
    ("written", "english", "japanese"),
    [
        ("2026-11-20", "20 November 2026", "2026年11月20日"),
        ("2026-01-03", "3 January 2026", "2026年1月3日"),
        ("1998-02-??", "February 1998", "1998年2月"),
        ("1998-02", "February 1998", "1998年2月"),
        ("1998-??-??", "1998", "1998年"),
        ("1998", "1998", "1998年"),
        ("????-??-??", "", ""),
        ("", "", ""),
        ("1998-??-03", "1998-??-03", "1998-??-03"),
        ("????-02-03", "????-02-03", "????-02-03"),
        ("2025-02-29", "2025-02-29", "2025-02-29"),
        ("2025-13-01", "2025-13-01", "2025-13-01"),
        ("New Year <1998>", "New Year <1998>", "New Year <1998>"),
        ("１９９８-02-03", "１９９８-02-03", "１９９８-02-03"),
    ],
)
def test_date_of_a_record_is_written_in_the_language(
    written: str, english: str, japanese: str
) -> None:
    for lang, expected in (("en", english), ("ja", japanese)):
        with translation.override(lang):
            assert played(written) == expected


def test_dates_of_the_archive_are_written_in_the_language() -> None:
    moment = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
    assert day(date(2026, 11, 20)) == day(moment) == "20 November 2026"
    assert minute(moment) == "20 November 2026, 09:05 UTC"
    with translation.override("ja"):
        assert day(moment) == "2026年11月20日"
        assert minute(moment).startswith("2026年11月20日")
