"""Compare situations of different games.

`situations` turns a game into situations with keys; equal situations have equal keys. `suits` finds
suits and cards that the rules of a house do not distinguish. Their exchange changes no key.
"""
