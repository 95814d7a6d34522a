"""`manage.py webhooks`: sends the deliveries of webhooks."""

import signal
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand

from people.delivery import Sender


class Command(BaseCommand):
    """Sends for ever. The only process of ours that needs a way to other hosts for its work."""

    help = "Notify the programs of users of uploads that are done, until told to end (SIGTERM)."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Run until a signal comes; the requests under way have some seconds to end."""
        ending = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ending.set())
        Sender().run(ending.is_set)
