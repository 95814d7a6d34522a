"""The Django project: settings, addresses and entry points. The apps are elsewhere."""

import gc
import os

# Objects loaded at the start are no garbage: scanning them would take a quarter of the start.
# `hanaarchive.apps` enables garbage collection.
gc.disable()

# Tasks find the Celery application here. A process without a broker does not import Celery, which
# saves a sixth of its start-up time.
if os.environ.get("REDIS_URL"):
    from hanaarchive.celery import app as celery_app

    __all__ = ["celery_app"]
