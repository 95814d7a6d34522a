"""Texts: the sent texts of stored games, their judging, and the columns derived from them.

`pieces` reads a text from the stored file, `judged` judges it, `choice` chooses the text that a
record shows, and `columns` sets the columns of the record.
"""
