"""Open data: all public games as files, once a month, with what is needed to use them.

In: a month, and the games that are public at its end. Out: a directory of tables, texts, a notebook
and their checksums, published by one row of `Dump`. `making` does it, `schedule` says when,
`tables` what is in it.
"""
