"""The Celery application: `celery -A hanaarchive worker`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from hanaarchive import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
# Checks would load every page; `migrate` runs them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

broker.install()
app = Celery("hanaarchive")
app.config_from_object("django.conf:settings", namespace="CELERY")


def _leave_logging_alone(sender: Any, **_: Any) -> None:
    """Keep Django's LOGGING: with a listener to this signal, Celery does not configure logging."""


setup_logging.connect(_leave_logging_alone)
