"""The Django project: settings, addresses and entry points. The apps are elsewhere."""

import os

# Tasks find the Celery application here. Commands on text alone need none, and start in half the
# time without it.
if os.environ.get("HANA_ENV") != "text":
    from hanaarchive.celery import app as celery_app

    __all__ = ["celery_app"]
