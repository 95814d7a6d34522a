"""Writing a game down: what the page of the editor asks for, and what it is given.

In: a record that is being written, and one thing more (`kafu.editing`). Out: the record as text,
the table and what may be written next, in the language of the request.
"""
