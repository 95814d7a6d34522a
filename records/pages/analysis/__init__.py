"""Analyses of games, for their own page and for the page of the game."""
