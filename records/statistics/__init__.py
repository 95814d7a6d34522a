"""Statistics over the whole archive: questions, and the figures that answer them.

`questions` parses a query, `gather` reads the sums that it is about (`records.totals`), a module in
`figures` computes the result, and `answer` is what pages, JSON, CSV and charts show.
"""
