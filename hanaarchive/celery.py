"""The Celery application: `celery -A hanaarchive worker -Q interactive,bulk`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

app = Celery("hanaarchive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
