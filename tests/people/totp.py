"""Codes of an authenticator app, computed by RFC 6238."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time

from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from tests.people.world import reauthenticate

STEP = 30


def code(secret: str, at: float | None = None) -> str:
    """Return the six digits for a secret, now or at another time."""
    counter = int(time.time() if at is None else at) // STEP
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    (number,) = struct.unpack_from(">I", digest, digest[-1] & 0xF)
    return f"{(number & 0x7FFFFFFF) % 10**6:06}"


def turn_on(browser: Client) -> str:
    """Set up the second factor of the logged-in user; return its secret."""
    reauthenticate(browser)
    page = browser.get(reverse("mfa_activate_totp"))
    secret: str = page.context["form"].secret
    response = browser.post(reverse("mfa_activate_totp"), {"code": code(secret)})
    assert response.status_code == 302
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()
    return secret
