"""Translate between names of cards, as people and programs write them, and card letters.

`table` has the names, `statements` splits a text into tokens, `placement` chooses between cards
with the same name, and `translation` converts complete texts in both directions.
"""
