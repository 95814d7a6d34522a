"""Numbers for people in the language of the request: means, percentages, odds.

A sum is whole: ``30貫4文`` (`records.wording.steps.amount`). A mean has one unit and one decimal,
two below 1: ``30.3貫``, ``0.52貫``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from records.base import labels

#: Maximum number of decimals of a small number.
_MOST_DIGITS: Final = 6
#: Odds of at least this value are displayed as a fraction, with a denominator of at most
#: `_DENOMINATOR`.
_OFTEN: Final = 0.19
_DENOMINATOR: Final = 10
#: Odds of at least this value are displayed in hundredths.
_NEARLY_ALWAYS: Final = 0.95


def number(value: float, digits: int) -> str:
    """Return a number with ``digits`` decimals: ``1,234``, ``−0.52``."""
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")  # + 0.0: no −0


def decimal(value: float, usual: int) -> str:
    """Return a number with the ``usual`` decimals, or more if a small number would show as 0."""
    digits = usual
    while value and abs(value) < 10 ** (1 - digits) and digits < _MOST_DIGITS:
        digits += 1
    least = 10**-digits
    return f"<{least:.{digits}f}" if 0 < value < least / 2 else number(value, digits)


def percent(share: float, digits: int | None = None) -> str:
    """Return a share of 1 as a percentage: ``35.3%``, ``0.0017%``.

    With ``digits`` it has exactly these decimals.
    """
    share = round(100 * share, 9)
    return f"{decimal(share, 1) if digits is None else number(share, digits)}%"


def mean(value: float, size: int = 1) -> str:
    """Return a mean without its unit; ``size`` small units are the unit that people read."""
    value /= size
    return number(value, 1 if abs(value) >= 1 else 2)


def with_unit(figure: str, unit: str) -> str:
    """Return a figure with its unit: ``30.3貫``, ``30.3 kan``."""
    return f"{figure}{unit}" if labels.lang() == "ja" else f"{figure} {unit}"


def odds(one_in: float) -> str:
    """Return odds of one in N in words: ``1 in 46``, ``about 3 of 4``.

    >>> odds(1.35195), odds(46.3), odds(5717409), odds(1.01)
    ('about 3 of 4', '1 in 46', '1 in 5,717,409', '99 of 100')
    """
    chance = 1 / one_in
    if chance >= _NEARLY_ALWAYS:
        return _("%(count)s of %(all)s") % {"count": round(100 * chance), "all": 100}
    if chance >= _OFTEN:
        nearest = Fraction(chance).limit_denominator(_DENOMINATOR)
        words = {"count": nearest.numerator, "all": nearest.denominator}
        return _("about %(count)s of %(all)s") % words
    return _("1 in %(all)s") % {"all": number(one_in, 0)}
