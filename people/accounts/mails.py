"""Mails: rendered and sent by a thread of their own.

A page that sent one itself would take as long as the mail server does, and so reveal by its time
that there is an account. Mails that a killed process had still to send are lost.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

_sender: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")

logger = logging.getLogger(__name__)


def send(to: str, name: str, context: Mapping[str, Any]) -> None:
    """Mail the templates ``<name>_subject.txt`` and ``<name>_message.txt``, in the active language.

    Nothing is sent without an address, or if this archive sends no mail. Never raises for errors of
    the mail server: they are logged. ``context`` must not query the database.
    """
    if to and settings.MAIL:
        _sender.submit(_send, to, name, {**context}, get_language())


def _send(to: str, name: str, context: dict[str, Any], language: str | None) -> None:
    try:
        with override(language):
            subject = render_to_string(f"{name}_subject.txt", context)
            body = render_to_string(f"{name}_message.txt", context)
        EmailMessage(" ".join(subject.split()), body, to=[to]).send()
    except Exception:  # whatever a mail server can do
        logger.exception("a mail was not sent")
