"""Totals over games, kept exact as games come and go.

In: judged games that are stored, shown, hidden or removed. Out: sums (`sums_of_games`), what each
player's games come to (`standings`), ratings (`ratings`). What one game adds is `tally`'s to say,
and `layout` names all figures.
"""
