"""Statistics over the whole archive, computed from the fact tables.

In: a query string. Out: an `Answer` for pages, JSON, CSV and charts. `questions` parses the query,
`selection` turns the query into SQL conditions, `sums` has the queries, and a module in `figures`
computes the result. `insights` combines any metric with any dimensions; `cells` has its SQL.
"""
