"""The Django project: settings, addresses and entry points. The apps are elsewhere."""

import gc
import os

# Objects loaded at the start are no garbage: scanning them would take a quarter of the start.
# `hanaarchive.apps` enables garbage collection.
gc.disable()

# Tasks find the Celery application here. Processes without a broker do not need it and start faster
# without it, in five sixths of the time.
if os.environ.get("REDIS_URL"):
    from hanaarchive.celery import app as celery_app

    __all__ = ["celery_app"]
