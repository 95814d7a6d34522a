"""`python -m tests.ops.hasty_web --fd=N`: the web server with short timeouts."""

import os

from hanaarchive.web import connections, requests
from hanaarchive.web.__main__ import main

connections.HEAD_SECONDS = 1.0
connections.KEEP_SECONDS = 3.0
connections.TIMEOUT_SECONDS = 2.0
if room := os.environ.get("HASTY_ROOM"):
    requests.BUFFERED_BYTES = int(room)

if __name__ == "__main__":
    main()
