"""The Celery application: `celery -A hanaarchive worker`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from hanaarchive import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they load every page: `migrate` makes them

broker.install()
app = Celery("hanaarchive")
app.config_from_object("django.conf:settings", namespace="CELERY")


def _leave_logging_alone(sender: Any, **_: Any) -> None:
    """With a listener here, Celery does not configure logging: Django's LOGGING stays."""


setup_logging.connect(_leave_logging_alone)
