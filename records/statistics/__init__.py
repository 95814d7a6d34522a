"""Statistics over the whole archive: questions, and the figures that answer them.

In: a query string. Out: an `Answer`, which pages, JSON, CSV and charts show. `questions` parses the
query, `gather` reads the sums that it is about (`records.totals`), and a module in `figures`
computes the result.
"""
