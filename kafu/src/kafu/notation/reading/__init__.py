"""Kafu text -> Game: lines, tags, statements, movetext, sums."""
