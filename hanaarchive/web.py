"""Gunicorn's settings: `gunicorn -c python:hanaarchive.web hanaarchive.wsgi`."""

import os
import shutil
import tempfile
from typing import Any

from hanaarchive.environment import number
from hanaarchive.settings import LOGGING

bind = "0.0.0.0:8000"
# Threads, behind a gate that no slow sender passes.
worker_class = "hanaarchive.gate.Worker"
workers = number("HANA_WEB_PROCESSES", 2)
threads = number("HANA_WEB_THREADS", 8)
# After SIGTERM no new request is taken, and those at hand have this long. Docker waits 10 s.
graceful_timeout = 8
# A gthread worker is ended only when its own loop hangs, not when a request takes long.
timeout = 60
# Longer than a proxy keeps an idle connection, so that it is never the one to be surprised.
keepalive = 75
# An address may ask for several players, whose names may be long; the most that there is.
limit_request_line = 8190
control_socket_disable = True
logconfig_dict = LOGGING

# The processes of this server add up their request times through files. Of its own for each
# server: process ids repeat between containers. Known to the processes before they import.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="hana-metrics-")


def child_exit(server: Any, worker: Any) -> None:
    """What a process that ended has counted still counts; only its gauges go."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """The files end with the server."""
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
