"""The web server: Waitress, with bounds on what a connection may hold.

One thread of a process does all reading and writing. A request has one of the others once its body
is complete, and releases it when its answer is written. So slow senders and slow readers cost
memory and disk, both bounded here, and no thread (docs/decisions/0001-web-server.md).

- `hanaarchive.web.requests`: a request as it arrives, and what is refused before Django sees it
- `hanaarchive.web.answers`: an answer as it is written
- `hanaarchive.web.connections`: one connection, its timeouts, and the server of all connections
- `python -m hanaarchive.web`: one process of it; `manage.py web` starts as many as configured
"""
