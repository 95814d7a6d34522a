"""The hourly publication: the facts of all public games as Parquet that any engine can read.

In: the public games, and the snapshot of their facts. Out: files in the storage ``public``, which
readers find by `latest.json` or as Apache Iceberg tables. `job` publishes, `states` finds the games
that changed, `parts` writes their tables, `manifest` and `iceberg` list the files.
"""
