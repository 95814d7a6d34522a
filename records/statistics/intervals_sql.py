"""Interval bounds as SQL, where lists are sorted by them."""

from __future__ import annotations

from records.statistics.intervals import Z


def wilson_low(count: str, n: str) -> str:
    """Return SQL for the lower bound of Wilson's interval of a share, in 1/10⁹; 0 without cases.

    ``count`` and ``n`` are SQL; see `records.statistics.intervals.wilson`.
    """
    square = Z * Z
    share = f"({count} / {n})"
    return (
        f"CASE WHEN {n} = 0 THEN 0 ELSE floor(1e9 * greatest(0,"
        f" ({share} + {square} / (2 * {n})) / (1 + {square} / {n}) - {Z} / (1 + {square} / {n})"
        f" * sqrt({share} * (1 - {share}) / {n} + {square} / (4 * {n} * {n}))))::BIGINT END"
    )
