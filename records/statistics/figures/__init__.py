"""The figures that can be asked for, one module a question.

`records.statistics.registry` lists them.
"""
