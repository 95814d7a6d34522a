"""Totals over games. In: judged games; out: exact sums, standings, ratings."""
