"""The archive of games, in layers. Each layer imports only layers below it (pyproject.toml).

- `urls`, `templatetags`: addresses of pages, and tags and filters of templates
- `pages`, `management`: pages for people and commands for operators
- `states`: values on which cached responses depend
- `operations`: maintenance of the running archive
- `opendata`, `statistics`, `studies`: dumps, figures about all games, studies and comments
- `search`: the list of games and its filters
- `intake`: conversion of uploaded bytes into judged games
- `store`: storage of judged games as rows
- `facts`: tables of facts about games, for statistics
- `jobs`: due jobs and their workers
- `privacy`: access to games and redaction of names
- `models`: database tables
- `serving`: HTTP responses from the cache, and limits of requests
- `base`: small utilities for all layers
"""
