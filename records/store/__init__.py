"""Judged games become rows: records and their parts, who owns them, who may see them.

In: `judged.JudgedGame`, one a piece of an upload (`storing.write`); decisions of owners and of the
staff (`ownership`, `visibility`, `pseudonyms`). Out: rows, and games played again for those who
show them (`replays`). The store knows nothing of how uploads come in.

From the top: storing, visibility > ownership > rows, texts (which text a record shows) > judged,
pieces (where games stand in stored files), players.
"""
