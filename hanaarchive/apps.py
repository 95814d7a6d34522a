"""The project as a Django application: its commands, and what ends a start."""

import gc

from django.apps import AppConfig


class HanaArchiveConfig(AppConfig):
    """The last of the applications: when it is ready, all are."""

    name = "hanaarchive"

    def ready(self) -> None:
        """Look for garbage from now on, but not among what is loaded (see `hanaarchive`)."""
        gc.freeze()
        gc.enable()
