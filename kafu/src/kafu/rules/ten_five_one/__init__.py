"""The 10/5/1 game."""
