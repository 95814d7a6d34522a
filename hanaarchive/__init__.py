"""The Django project: settings, addresses and entry points. What it serves is in the apps."""

from hanaarchive.celery import app as celery_app

__all__ = ["celery_app"]
