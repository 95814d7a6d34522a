"""Insights: any metric by any two dimensions, from a columnar copy of the facts of public games.

In: the changes of games in their order, as mirrors get them (`records.search.changes`); a question
of a metric, dimensions and filters. Out: cells, each with its cases, their sum and that of squares.

From the top: asking > remembered (columns in memory) > following (the job that keeps the copy) >
sums (kept for pairs of columns) > bands | counting > dimensions | facts > blocks | metrics | names.
"""
