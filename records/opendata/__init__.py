"""Open data: all public games as monthly files, with documentation and a notebook.

In: a month, and the public games at its end. Out: a directory of tables, texts, a notebook and
checksums, published by one row of `Dump`. `dump_job` runs a dump, `schedule` decides when, `tables`
defines the contents.
"""
