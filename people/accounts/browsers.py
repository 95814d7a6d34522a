"""Known browsers: recognised by a cookie from an earlier log-in, and described in words.

Password tries from a known browser are counted separately, so that attackers who try an account's
password repeatedly do not lock its owner out (`people.accounts.limits`). The cookie alone logs
nobody in.
"""

from __future__ import annotations

import re
import secrets
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

COOKIE: Final = "known_browser"
#: The path of the cookie.
PATH: Final = "/account/"
#: Lifetime of the cookie in seconds.
AGE: Final = 180 * 24 * 60 * 60
_SALT: Final = "people.accounts.browsers"


def remember(response: HttpResponse, user: Any) -> None:
    """Mark a browser as known to ``user`` by a cookie, until the password changes."""
    value = signing.dumps([user.pk, secrets.token_urlsafe(12), _password_mark(user)], salt=_SALT)
    response.set_cookie(
        COOKIE,
        value,
        max_age=AGE,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def find_known_browser(request: HttpRequest, name: str) -> str | None:
    """Return the id of a known browser of the account with a user name, or None.

    The user name is compared without case.
    """
    try:
        pk, browser, mark = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=AGE)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    user: Any = get_user_model().objects.filter(pk=pk).first()
    if user is None or user.get_username().casefold() != name.casefold():
        return None
    return str(browser) if constant_time_compare(mark, _password_mark(user)) else None


def _password_mark(user: Any) -> str:
    """Return a short text derived from the password hash."""
    return str(user.get_session_auth_hash()[:16])


#: Browsers by user agent. The order matters, because Edge, for example, also claims to be Chrome.
_PROGRAMS: Final = (
    *(
        ("Edge", r"Edg(?:e|A|iOS)?/"),
        ("Opera", r"OPR/|Opera"),
        ("Samsung Internet", "SamsungBrows"),
    ),
    *(
        ("Firefox", r"Firefox/|FxiOS/"),
        ("Chrome", r"Chrom(?:e|ium)/|CriOS/"),
        ("Safari", "Safari/"),
    ),
)
_SYSTEMS: Final = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("ChromeOS", "CrOS")),
    *(("Windows", "Windows"), ("macOS", "Macintosh"), ("Linux", "Linux|X11")),
)


def describe_browser(agent: str) -> str:
    """Return a user agent in words: “Firefox, Windows”, or “another program”.

    >>> in_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    names = [
        next((name for name, sign in kind if re.search(sign, agent)), "")
        for kind in (_PROGRAMS, _SYSTEMS)
    ]
    return ", ".join(filter(None, names)) or _("another program")
