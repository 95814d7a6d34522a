"""Situations of one game that others have too: which cards are alike, and keys of what is equal.

In: a game. Out: its situations (`situations`), in a form (`suits`) that forgets what the rules do
not tell apart.
"""
