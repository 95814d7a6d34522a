"""Notifies programs when an upload is done: a signed request, tried again by the job engine.

In: the webhooks of users, and uploads of theirs that are done. Out: a job for each, which sends

    POST URL
    Content-Type: application/json
    Hana-Event: upload.done
    Hana-Signature: t=1763900000,v1=HEX

    {"event": "upload.done", "upload": {"key", "url", "page", "games": {…}}}

``v1`` is the HMAC-SHA256 of ``t``, a full stop and the body, with the webhook's secret. Any answer
of 2xx is a success; otherwise, or without one within seconds, the job is tried again for two hours.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import secrets
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from people.models import Token, Webhook
from people.outgoing import NotAllowed, check, post
from people.tokens import ended
from records.base.site import absolute
from records.models import Job, Upload
from records.work.enqueue import enqueue
from records.work.ledger import finish, hold

KIND: Final = "webhook"
EVENT: Final = "upload.done"
#: Webhooks of an account at the most.
MOST: Final = 10
#: How often it is tried: with the engine's pauses, for some two hours.
TRIES: Final = 20
#: Of older uploads nobody is notified: the webhook was added later, or all tries failed.
NEWS: Final = timedelta(days=2)


class TooManyWebhooks(Exception):
    """The account has as many as it can have."""


class NotTaken(Exception):
    """The other side did not take it: it is tried again."""


def of_user(owner: Any) -> QuerySet[Webhook]:
    """The webhooks of a user: those of a token only while it is valid."""
    return Webhook.objects.exclude(ended("token__")).filter(owner=owner.pk)


def add(owner: Any, url: str, token: Token | None = None) -> Webhook:
    """A new webhook of a user, or of one of their tokens.

    Raises `people.outgoing.NotAllowed` and :class:`TooManyWebhooks`.
    """
    check(url)
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=owner.pk)
        if of_user(owner).count() >= MOST:
            raise TooManyWebhooks
        return Webhook.objects.create(
            owner=owner, token=token, url=url, secret=secrets.token_hex(32)
        )


def schedule() -> None:
    """Enqueue the notices of uploads that are done, one a webhook. Those of tokens that are no
    longer valid are removed.
    """
    Webhook.objects.filter(ended("token__")).delete()
    for hook in Webhook.objects.all():
        since = max(hook.created, timezone.now() - NEWS)
        uploads = Upload.objects.filter(owner=hook.owner_id, created__gte=since)
        noticed = Job.objects.filter(kind=KIND, subject__startswith=f"{hook.key}-")
        for upload in uploads.exclude(pk__in=noticed.values("upload")).order_by("pk"):
            if upload.progress()["state"] == "done":
                enqueue(KIND, f"{hook.key}-{upload.key}", params={"hook": hook.pk}, upload=upload)


def deliver(job: Job) -> None:
    """Send the notice of a leased job. Raises :class:`NotTaken` where it is to be tried again."""
    hook = Webhook.objects.exclude(ended("token__")).filter(pk=job.params["hook"]).first()
    problem = ""
    if hook is not None and job.upload is not None:
        problem, outcome = _sent(hook, job.upload)
        Webhook.objects.filter(pk=hook.pk).update(tried=timezone.now(), outcome=outcome[:200])
    if problem and job.attempts < TRIES:
        raise NotTaken(problem)
    with transaction.atomic():
        finish(hold(job))


def _sent(hook: Webhook, upload: Upload) -> tuple[str, str]:
    """Why it is to be tried again ("" for no reason), and how the try ended."""
    body = json.dumps(message(upload), separators=(",", ":")).encode()
    try:
        status = post(hook.url, body, headers(hook.secret, body))
    except NotAllowed as error:
        return "", str(error)  # it will be no other tomorrow
    except (OSError, http.client.HTTPException) as error:
        found = str(error) or type(error).__name__
        return found, found
    return ("" if 200 <= status < 300 else f"status {status}"), str(status)


def message(upload: Upload) -> dict[str, Any]:
    """What is sent about an upload that is done."""
    return {
        "event": EVENT,
        "upload": {
            "key": upload.key,
            "url": absolute(reverse("api:upload", args=[upload.key])),
            "page": absolute(reverse("report", args=[upload.key])),
            "created": upload.created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "games": upload.progress()["games"],
        },
    }


def headers(secret: str, body: bytes) -> dict[str, str]:
    """The headers of a request with this body."""
    moment = str(int(timezone.now().timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "HanaArchive",
        "Hana-Event": EVENT,
        "Hana-Signature": f"t={moment},v1={signature(secret, moment, body)}",
    }


def signature(secret: str, moment: str, body: bytes) -> str:
    """HMAC-SHA256 in hex, as the receiver computes it too."""
    return hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()
