"""Applications that users let into their accounts by OAuth 2, over django-oauth-toolkit.

The toolkit stores applications, and hashes of their tokens and of codes. Applications are public
clients: a page or program of its user has no secret, and proves itself by PKCE.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from oauth2_provider.models import (
    AccessToken,
    Application,
    DeviceGrant,
    Grant,
    RefreshToken,
    clear_expired,
    refresh_token_expire_timedelta,
)

from records.base.keys import base58
from records.base.transient import lock_names

#: Prefixes of tokens, by which scanners find leaked tokens in texts.
ACCESS_MARK: Final = "hana_access_"
REFRESH_MARK: Final = "hana_refresh_"
#: Maximum number of applications that a user registers.
MAX_APPLICATIONS: Final = 20
#: The client id of the command `hana`, which every archive knows.
COMMAND: Final = "hana"
#: The letters of codes that users copy from a terminal: without vowels and look-alikes (RFC 8628).
CODE_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH: Final = 8
#: The fields of a client without a secret.
_PUBLIC: Final = {
    "client_type": Application.CLIENT_PUBLIC,
    "client_secret": "",
    "hash_client_secret": False,
}


class TooManyApplications(Exception):
    """A user with `MAX_APPLICATIONS` applications already."""


def generate_access_token(_request: Any) -> str:
    """Return the text of a new access token."""
    return ACCESS_MARK + base58(secrets.token_bytes(32))


def generate_refresh_token(_request: Any) -> str:
    """Return the text of a new refresh token."""
    return REFRESH_MARK + base58(secrets.token_bytes(32))


def generate_user_code() -> str:
    """Return a code that a user copies from a terminal: ``BCDF-GHJK``."""
    return normalize_user_code("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)))


def hash_code(code: str) -> str:
    """Return the hash under which a code that waits for its user or program is stored.

    The key of the archive makes it useless to try all codes that users copy.
    """
    return salted_hmac("people.applications", code, algorithm="sha256").hexdigest()


def normalize_user_code(written: str) -> str:
    """Return a code as `generate_user_code` writes it.

    >>> normalize_user_code(" bcdfghjk ")
    'BCDF-GHJK'
    """
    letters = "".join(letter for letter in written.upper() if letter in CODE_LETTERS)
    return f"{letters[: CODE_LENGTH // 2]}-{letters[CODE_LENGTH // 2 :]}"


@transaction.atomic
def register(owner: Any, name: str, redirect_uris: list[str]) -> Application:
    """Register an application. Without redirect addresses it uses the device flow.

    Raise :class:`TooManyApplications`.
    """
    lock_names(f"applications of {owner.pk}")
    if Application.objects.filter(user=owner).count() >= MAX_APPLICATIONS:
        raise TooManyApplications
    grant = Application.GRANT_AUTHORIZATION_CODE if redirect_uris else Application.GRANT_DEVICE_CODE
    return Application.objects.create(
        user=owner,
        name=name,
        redirect_uris=" ".join(redirect_uris),
        authorization_grant_type=grant,
        **_PUBLIC,
    )


def ensure_command() -> None:
    """Register the command `hana` if it is not registered yet."""
    fields = {
        "name": COMMAND,
        "authorization_grant_type": Application.GRANT_DEVICE_CODE,
        **_PUBLIC,
    }
    Application.objects.get_or_create(client_id=COMMAND, defaults=fields)


def is_of_terminals(client_id: str) -> bool:
    """Return whether an application gets tokens by codes that users copy from it."""
    grant = Application.GRANT_DEVICE_CODE
    return Application.objects.filter(client_id=client_id, authorization_grant_type=grant).exists()


@dataclass(slots=True)
class Access:
    """The access of an application to an account, with the time of its newest token."""

    application: Application
    scopes: str
    renewed: datetime

    @property
    def scopes_in_words(self) -> list[str]:
        """The scopes in words."""
        return describe_scopes(self.scopes)


def describe_scopes(scopes: str) -> list[str]:
    """Return the words of scopes separated by blanks, in the order of the settings."""
    return [
        words
        for scope, words in settings.OAUTH2_PROVIDER["SCOPES"].items()
        if scope in scopes.split()
    ]


def list_access(owner: Any) -> list[Access]:
    """Return the applications with access to an account, the most recent first."""
    tokens = RefreshToken.objects.filter(
        user=owner,
        revoked=None,
        access_token__expires__gt=timezone.now() - refresh_token_expire_timedelta(),
    ).select_related("application", "access_token")
    by_application: dict[int, Access] = {}
    for token in tokens.order_by("-created"):
        access = by_application.setdefault(
            token.application_id, Access(token.application, "", token.created)
        )
        access.scopes += f" {token.access_token.scope}"
    return list(by_application.values())


@transaction.atomic
def revoke(owner: Any, application: Application | None = None) -> int:
    """End the access of one application to an account, by default of all.

    Return the number of deleted tokens and codes.
    """
    querysets = [model.objects.filter(user=owner) for model in (Grant, RefreshToken, AccessToken)]
    codes = DeviceGrant.objects.filter(user=owner)
    if application is not None:
        querysets = [queryset.filter(application=application) for queryset in querysets]
        codes = codes.filter(client_id=application.client_id)
    return sum(queryset.delete()[0] for queryset in (*querysets, codes))


def close(owner: Any) -> None:
    """Delete the applications of a closed account, and end all access to the account."""
    revoke(owner)
    Application.objects.filter(user=owner).delete()


def tidy() -> None:
    """Delete expired tokens and codes; a chore of the sweep."""
    clear_expired()
    DeviceGrant.objects.filter(expires__lt=timezone.now()).delete()
