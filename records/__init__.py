"""The archive of games. Each package imports only those below it (pyproject.toml).

- `urls`, `templatetags`: addresses of pages, and what their templates call
- `pages`, `management`: HTML views and commands of operators
- `services`: what users and programs do: submit, claim, withdraw, comment, study
- `operations`: backup, health, monitoring, rebuild
- `opendata`, `statistics`: dumps, and figures over all games
- `search`: lists of games and their filters
- `ingest`: from bytes to stored games
- `facts`: the tables that statistics read
- `jobs`: the ledger of due jobs, and their workers
- `privacy`: who may see what
- `models`: the tables of the database
- `serving`: limits, caching and streaming of responses
- `base`: small utilities
"""
