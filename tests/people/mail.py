"""Mails that are sent in a test."""

from __future__ import annotations

from django.core import mail

from people.accounts import adapter


def sent() -> list[mail.EmailMessage]:
    """Return all mails so far, after the sending thread has finished."""
    adapter._sender.submit(lambda: None).result(120)
    mails_so_far: list[mail.EmailMessage] = mail.outbox
    return mails_so_far


def discard_earlier() -> None:
    """Empty the outbox once the sending thread has finished the mails of an earlier test."""
    sent().clear()
