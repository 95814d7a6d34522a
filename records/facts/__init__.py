"""Facts of public games, stored as Parquet for statistics, the explorer and open data.

`tables` defines the tables, `rows` makes the rows of a judged game, `parts` stores and reads
Parquet parts, `snapshot` selects the parts and games that count at a moment. `database` is DuckDB,
`cluster` ClickHouse as another engine of statistics, `cluster_requests` its connections, and
`dialect` the translation of statements.
"""
