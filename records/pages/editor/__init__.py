"""The editor for writing games down: pages, and responses to changes.

Input: a record in progress and an action (`kafu.editing`). Output: the record as text, the table
and the possible next moves, in the language of the request.
"""
