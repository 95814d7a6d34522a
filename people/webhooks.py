"""Notifications about finished uploads, as signed requests by Standard Webhooks.

Each finished upload gets one delivery for each webhook of its owner. A delivery is a job of the
ledger that sends

    POST URL
    Content-Type: application/json
    webhook-id: ID of the delivery, the same at each attempt
    webhook-timestamp: SECONDS
    webhook-signature: v1,BASE64

    {"type": "upload.done", "timestamp": "…Z", "data": {"key", "url", "page", "games": {…}}}

The signature is the HMAC-SHA256 of id, timestamp and body, joined by full stops, with the bytes of
the webhook's secret (https://www.standardwebhooks.com). Any 2xx status is a success. After a
failure the webhook pauses, each time longer, and the delivery is retried. After `MAX_FAILURES`
consecutive failures the webhook is disabled. `people.delivery` runs the deliveries.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import logging
import secrets
import threading
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Final, Literal, TypedDict

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.urls import reverse
from django.utils import timezone

from people.accounts import adapter
from people.accounts.lifecycle import get_confirmed_address
from people.delivery import NotAllowed, check_host, check_url, post
from people.models import Token, Webhook
from people.tokens import ended_tokens
from records.base import clock
from records.base.json_types import Component, Moment, Url
from records.base.release import absolute
from records.jobs.enqueue import enqueue
from records.jobs.ledger import MAX_RETRY_SECONDS, RETRY_SECONDS, fail, finish, hold, release
from records.models import Job, Upload
from records.serving.gates import Busy

KIND: Final = "webhook"
#: Maximum number of webhooks of an account.
MAX_WEBHOOKS: Final = 10
#: Attempts of a delivery, which take about two hours with the pauses of the ledger.
MAX_ATTEMPTS: Final = 20
#: Consecutive failures after which a webhook is disabled.
MAX_FAILURES: Final = 20
#: Maximum age of an upload that is notified; older uploads precede the webhook or have failed.
MAX_AGE: Final = timedelta(days=2)
#: Length of a secret in bytes, and prefix of its text form.
SECRET_BYTES: Final = 32
SECRET_PREFIX: Final = "whsec_"

#: Limits the requests of a web process that wait for a name lookup.
_adding: Final = threading.BoundedSemaphore(2)

logger = logging.getLogger(__name__)


class TooManyWebhooks(Exception):
    """An account with the maximum number of webhooks."""


def webhooks_of(owner: Any) -> QuerySet[Webhook]:
    """Return the webhooks of a user, without those of invalid tokens."""
    return Webhook.objects.exclude(ended_tokens("token__")).filter(owner=owner.pk)


def add(owner: Any, url: str, token: Token | None = None) -> Webhook:
    """Add a webhook of a user, or of one of the user's tokens.

    Raise `people.delivery.NotAllowed`, :class:`TooManyWebhooks` or
    `records.serving.gates.Busy`.
    """
    check_url(url)
    if webhooks_of(owner).count() >= MAX_WEBHOOKS:
        raise TooManyWebhooks
    if not _adding.acquire(blocking=False):
        raise Busy
    try:
        check_host(url)
    finally:
        _adding.release()
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=owner.pk)
        if webhooks_of(owner).count() >= MAX_WEBHOOKS:
            raise TooManyWebhooks
        return Webhook.objects.create(
            owner=owner, token=token, url=url, secret=new_secret(), enabled=clock.now()
        )


def new_secret() -> str:
    """Return a new random secret in text form."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


class UploadDone(TypedDict):
    """A finished upload."""

    key: str
    url: Annotated[Url, "The upload in the API."]
    page: Annotated[Url, "The report for people."]
    created: Moment
    games: Annotated[dict[str, Any], Component("GameCounts")]


class Notification(TypedDict):
    """The JSON body of a notification."""

    type: Literal["upload.done"]
    timestamp: Annotated[Moment, "When the upload was done."]
    data: UploadDone


def enable(hook: Webhook) -> None:
    """Enable a disabled webhook for uploads from now on."""
    if hook.disabled is None:
        return
    hook.failures, hook.paused_until, hook.disabled = 0, None, None
    hook.enabled = clock.now()
    hook.save(update_fields=["failures", "paused_until", "disabled", "enabled"])


def schedule() -> None:
    """Enqueue the deliveries of finished uploads, one for each webhook.

    Delete the webhooks of invalid tokens.
    """
    Webhook.objects.filter(ended_tokens("token__")).delete()
    for hook in Webhook.objects.filter(disabled=None):
        since = max(hook.enabled, clock.now() - MAX_AGE)
        uploads = Upload.objects.filter(owner=hook.owner_id, created__gte=since)
        noticed = Job.objects.filter(kind=KIND, subject__startswith=f"{hook.key}-")
        for upload in uploads.exclude(pk__in=noticed.values("upload")).order_by("pk"):
            if upload.progress()["state"] == "done":
                with transaction.atomic():
                    subject = f"{hook.key}-{upload.key}"
                    enqueue(KIND, subject, params={"hook": hook.pk}, upload=upload)
                    _postpone(hook)


def _waiting_deliveries(hook: Webhook) -> QuerySet[Job]:
    """Return the deliveries of a webhook waiting for the next attempt."""
    deliveries = Job.objects.filter(kind=KIND, subject__startswith=f"{hook.key}-")
    return deliveries.filter(state__in=Job.CLAIMABLE)


def _postpone(hook: Webhook) -> None:
    """Delay all deliveries of a webhook until the end of the pause.

    An unresponsive receiver then gets a single attempt instead of an attempt for each upload.
    """
    if hook.paused_until is not None:
        _waiting_deliveries(hook).update(due_at=Greatest(F("due_at"), hook.paused_until))


def deliver(job: Job) -> None:
    """Make one attempt of a leased delivery."""
    hooks = Webhook.objects.exclude(ended_tokens("token__")).filter(disabled=None)
    hook = hooks.filter(pk=job.params["hook"]).first()
    if hook is None or job.upload is None:
        with transaction.atomic():
            finish(hold(job))
        return
    is_final = job.attempts >= MAX_ATTEMPTS
    try:
        status = post(hook.url, *build_request(hook, job, timezone.now()))
        outcome, error = str(status), "" if 200 <= status < 300 else f"status {status}"
    except Busy as busy:  # not the receiver's fault
        release(job, str(busy), busy.again)
        return
    except NotAllowed as not_allowed:
        outcome = error = str(not_allowed)
        is_final = True  # a retry would be refused too
    except (OSError, http.client.HTTPException) as failure:
        outcome = error = str(failure) or type(failure).__name__
    if error:
        logger.info("%s was not delivered: %s", job, error)
    _store_result(job, hook, outcome, error, is_final)


@transaction.atomic
def _store_result(job: Job, hook: Webhook, outcome: str, error: str, is_final: bool) -> None:
    """Store the result of an attempt; raise :class:`records.jobs.ledger.LeaseLost`."""
    held = hold(job)
    current = Webhook.objects.select_for_update(no_key=True).filter(pk=hook.pk).first()
    if error and not is_final and current is not None:
        fail(job, error)
    else:
        finish(held)
    if current is None:
        return
    current.tried, current.outcome = timezone.now(), outcome[:200]
    current.failures = current.failures + 1 if error else 0
    current.paused_until = _pause_end(current.failures)
    if current.failures >= MAX_FAILURES:
        _disable(current)
    current.save()
    _postpone(current)


def _pause_end(failures: int) -> datetime | None:
    """Return the time of the next attempt after consecutive failures; None without any."""
    if not failures:
        return None
    seconds = min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** (failures - 1))
    return clock.now() + timedelta(seconds=seconds)


def _disable(hook: Webhook) -> None:
    """Disable a webhook, end all deliveries and mail the owner."""
    hook.disabled, hook.paused_until = timezone.now(), None
    _waiting_deliveries(hook).update(
        state=Job.State.DONE, done_at=clock.now(), reason="webhook disabled"
    )
    owner: Any = hook.owner
    context = {
        "name": owner.get_username(),
        "url": hook.url,
        "outcome": hook.outcome,
        "failures": hook.failures,
        "page": absolute(reverse("tokens")),
    }
    address = get_confirmed_address(owner)
    transaction.on_commit(partial(adapter.send, address, "people/webhook_disabled", context))
    logger.info("webhook %s is disabled: %s", hook.key, hook.outcome)


def build_request(hook: Webhook, job: Job, moment: datetime) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of an attempt at a moment."""
    assert job.upload is not None
    body = json.dumps(build_notification(job.upload, job.created), separators=(",", ":")).encode()
    seconds = str(int(moment.timestamp()))
    return body, {
        "Content-Type": "application/json",
        "User-Agent": "HanaArchive",
        "webhook-id": job.subject,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{compute_signature(hook.secret, job.subject, seconds, body)}",
    }


def build_notification(upload: Upload, moment: datetime) -> Notification:
    """Return the notification about an upload that was done at a moment."""
    return {
        "type": "upload.done",
        "timestamp": _format_time(moment),
        "data": {
            "key": upload.key,
            "url": absolute(reverse("api:upload", args=[upload.key])),
            "page": absolute(reverse("report", args=[upload.key])),
            "created": _format_time(upload.created),
            "games": upload.progress()["games"],
        },
    }


def _format_time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def compute_signature(secret: str, name: str, seconds: str, body: bytes) -> str:
    """Return the HMAC-SHA256 in base64, as the receiver computes it."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    content = b".".join((name.encode(), seconds.encode(), body))
    return base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
