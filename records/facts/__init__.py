"""Facts of public games, stored as Parquet for statistics, the explorer and open data.

`tables` defines every table once, `rows` makes rows of a judged game, `parts` stores and reads
Parquet parts, `snapshot` says which parts and games count at a moment.
"""
