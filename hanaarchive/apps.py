"""The project as a Django application: its commands, and the end of the start."""

import atexit
import gc

from django.apps import AppConfig


class HanaArchiveConfig(AppConfig):
    """The last of the applications to become ready."""

    name = "hanaarchive"

    def ready(self) -> None:
        """Enable garbage collection, except among the loaded objects (see `hanaarchive`).

        The collector runs rarely: a request makes thousands of objects that are freed at its end,
        nearly all without cycles; with Python's default of 700 the collector takes a tenth of the
        time.
        """
        gc.freeze()
        # Loaded objects are freed at exit; otherwise DuckDB's binding would report a leak.
        atexit.register(gc.unfreeze)
        gc.set_threshold(5_000, 20, 20)
        gc.enable()
