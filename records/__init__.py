"""The archive of games, in layers. Each layer imports only layers below it (pyproject.toml).

- `urls`, `templatetags`: addresses of pages, and tags and filters of templates
- `pages`, `management`: pages for people and commands for operators
- `operations`: maintenance of the running archive
- `opendata`, `statistics`: dumps, and figures about all games
- `search`: the list of games and its filters
- `intake`: conversion of uploaded bytes into judged games
- `store`: storage of judged games as rows
- `totals`: standings and ratings of players
- `work`: due jobs and their workers
- `privacy`: access to games and redaction of names
- `models`: database tables
- `serving`, `archives`: HTTP responses; extraction of ZIP and similar formats
- `base`: small utilities for all layers
"""
