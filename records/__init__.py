"""The archive of games. Each package imports only packages lower in the list (pyproject.toml).

- `urls`, `templatetags`: addresses of pages, and template tags and filters
- `device`: responses to editors, and analyses, on a reader's device
- `pages`, `management`: HTML views and commands of operators
- `services`: actions of users and programs: submit, claim, withdraw, comment, study
- `operations`: backup, health, monitoring, rebuild
- `opendata`, `statistics`: dumps, and figures over all games
- `search`: lists of games and filters
- `ingest`: from bytes to stored games
- `texts`: the sent texts of stored games, judged
- `facts`: the tables for statistics
- `jobs`: the ledger of due jobs, and the workers
- `privacy`: access of viewers to games, uploads and names, and the log of public changes
- `models`: the tables of the database
- `serving`: limits, caching and streaming of responses
- `base`: small utilities
"""
