"""Clubs with members, seasons and evenings.

`scoring`, `standings`, `honours`, `pairings` and `totals` compute on plain values, without Django:
results of games and corrections in, tables out.
"""
