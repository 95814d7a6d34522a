"""Statistics over the whole archive, computed from the fact tables.

In: a query string. Out: an `Answer`, which pages, JSON, CSV and charts show. `questions` parses the
query, `selection` makes SQL conditions of it, `sums` has the queries, and a module in `figures`
computes the result. `insights` answers any metric by any dimensions.
"""
