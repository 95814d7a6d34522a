"""`manage.py webhooks`: send the deliveries of webhooks."""

import signal
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand

from people.delivery import Sender
from records.operations.history import warn_of_newer


class Command(BaseCommand):
    """A command to send until a signal, in the only process with a need to reach other hosts."""

    help = "Notify users' programs of finished uploads, until told to end (SIGTERM)."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Run until a signal; open requests then have some seconds to end."""
        warn_of_newer()
        ending = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ending.set())
        Sender().run(ending.is_set)
