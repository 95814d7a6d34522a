"""Mails: written in the request, sent by a thread of their own.

A page that sent one itself would take as long as the mail server does, and so tell by its time that
there was somebody to write to. What a process that is killed had still to send is lost.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

_sender: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")

logger = logging.getLogger(__name__)


def send(to: str, name: str, context: Mapping[str, Any]) -> None:
    """Mail the templates ``people/<name>_subject.txt`` and ``people/<name>_mail.txt``.

    Nothing where there is no address, or this archive sends no mail. Never raises for the mail's
    sake: what cannot be sent is logged.
    """
    if not to or not settings.MAIL:
        return
    subject = render_to_string(f"people/{name}_subject.txt", {**context})
    body = render_to_string(f"people/{name}_mail.txt", {**context})
    _sender.submit(_send, EmailMessage(" ".join(subject.split()), body, to=[to]))


def _send(mail: EmailMessage) -> None:
    try:
        mail.send()
    except Exception:  # whatever a mail server can do
        logger.exception("a mail was not sent")
