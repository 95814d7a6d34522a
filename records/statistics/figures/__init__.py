"""The figures of the statistics, one module a question.

`records.statistics.registry` lists them.
"""
