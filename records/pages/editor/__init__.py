"""The editor, in which games are written down: its pages and its responses.

Input: a record in progress and one action (`kafu.editing`). Output: the record as text, its table
and the possible next moves, in the language of the request.
"""
