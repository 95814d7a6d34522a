"""Standings and ratings of players, kept exact as games come and go.

In: games that are stored, shown, hidden or removed. Out: what each player's games come to
(`standings`), ratings (`ratings`).
"""
