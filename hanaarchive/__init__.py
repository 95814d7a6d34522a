"""The Django project: settings, addresses and entry points. The apps are elsewhere."""

import gc
import os

# What a start loads is no garbage: looking for some among it takes a quarter of the start.
# `hanaarchive.apps` lets the search begin.
gc.disable()

# Tasks find the Celery application here. A process without a broker needs none, and starts in five
# sixths of the time without it.
if os.environ.get("REDIS_URL"):
    from hanaarchive.celery import app as celery_app

    __all__ = ["celery_app"]
