"""Settings of Gunicorn for tests: as in production, but the gate soon loses its patience."""

import struct

from hanaarchive import gate
from hanaarchive.web import *  # noqa: F403

gate.HEAD_SECONDS = 1.0
gate.OPENING_SECONDS = 1.0
gate.ALONE = (2.0, 1 << 10)
gate.CROWDED = (0.3, 16 << 10)
gate.TICK_SECONDS = 0.1
gate.SEND_TIMEOUT = struct.pack("ll", 1, 0)
