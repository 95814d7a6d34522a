"""Compare situations of different games.

`situations` turns a game into situations with keys; equal situations have equal keys. `suits` finds
suits and cards not distinguished by the rules of a house. Their exchange changes no key.
"""
