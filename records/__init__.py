"""The archive of games, in rooms. Each imports only those below it (pyproject.toml).

- `urls`, `templatetags`: where pages stand, and what their templates call
- `pages`, `management`: what people and operators ask for
- `operations`: what keeps the archive running
- `opendata`, `statistics`: dumps, and figures over all games
- `search`: the list of games and what may be asked of it
- `intake`: bytes become judged games
- `store`: judged games become rows
- `totals`: standings and ratings of players
- `work`: the jobs that are due, and who does them
- `privacy`: who may see what
- `models`: the tables
- `serving`, `archives`: answering HTTP; opening ZIP and its like
- `base`: small utilities for all of them
"""
