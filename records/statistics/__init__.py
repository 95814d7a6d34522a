"""Statistics over the whole archive: questions, and the figures that answer them.

In: a query string. Out: an `Answer`, which pages, JSON, CSV and charts show. `questions` parses the
query, `selection` says which rows of facts it counts, `sums` computes their sums in SQL, and a
module in `figures` makes the result of these.
"""
