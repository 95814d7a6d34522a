"""Figures over the whole archive: what a game adds, kept as sums, and the questions asked of them.

`layout` names all figures that are kept, `sums` adds them, `tally` says what one game adds: all
three are pure. `books` keeps the sums in the database, `checking` proves them, `gather` reads those
that a question asks.
"""
