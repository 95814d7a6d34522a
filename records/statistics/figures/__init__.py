"""The figures of the statistics, one module per subject.

`records.statistics.registry` lists them.
"""
