"""The project as a Django application: its commands, and what ends a start."""

import atexit
import gc

from django.apps import AppConfig


class HanaArchiveConfig(AppConfig):
    """The last of the applications: when it is ready, all are."""

    name = "hanaarchive"

    def ready(self) -> None:
        """Look for garbage from now on, but not among what is loaded (see `hanaarchive`).

        And seldom: a request makes thousands of objects that are gone at its end, hardly one of
        them in a cycle; at Python's own 700 the search takes a tenth of the time.
        """
        gc.freeze()
        # At the end what is loaded is freed: else DuckDB's binding reports it as leaked.
        atexit.register(gc.unfreeze)
        gc.set_threshold(5_000, 20, 20)
        gc.enable()
