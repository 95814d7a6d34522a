"""The web server: Waitress, with bounds on what a connection may hold.

One thread of a process does all reading and writing. A request has one of the others once its body
is there, and gives it back once its answer is written down. So slow senders and slow readers cost
memory and disk, both bounded here, and no thread (docs/decisions/0001-web-server.md).

- `hanaarchive.web.requests`: a request as it comes in, and what is refused before Django sees it
- `hanaarchive.web.connections`: one connection, its patience, and the server that has them all
- `python -m hanaarchive.web`: one process of it; `manage.py web` starts as many as are wanted
"""
