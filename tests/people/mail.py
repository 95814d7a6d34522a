"""Mails sent in a test."""

from __future__ import annotations

from django.core import mail

from people.accounts import mails


def sent() -> list[mail.EmailMessage]:
    """All so far, once the thread that sends them has nothing left to do."""
    mails._sender.submit(lambda: None).result(120)
    found: list[mail.EmailMessage] = mail.outbox
    return found
