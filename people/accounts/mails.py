"""Mails, rendered and sent by a separate thread.

A page that sends a mail itself would take as long as the mail server, and the response time
would reveal whether an account exists. A killed process loses unsent mails.
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
    """Mail the templates ``<name>_subject.txt`` and ``<name>_message.txt`` in the active language.

    Send nothing if the address is empty or the archive sends no mail. Errors of the mail server are
    logged, not raised. ``context`` must not query the database.
    """
    if to and settings.MAIL:
        _sender.submit(_send, to, name, {**context}, get_language())


def _send(to: str, name: str, context: dict[str, Any], language: str | None) -> None:
    try:
        with override(language):
            subject = render_to_string(f"{name}_subject.txt", context)
            body = render_to_string(f"{name}_message.txt", context)
        EmailMessage(" ".join(subject.split()), body, to=[to]).send()
    except Exception:  # errors of the mail server, of any type
        logger.exception("a mail was not sent")
