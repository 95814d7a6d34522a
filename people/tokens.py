"""Creation and revocation of API tokens; lookup of these, and of tokens of applications."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from oauth2_provider.models import AccessToken

from people import applications
from people.models import SCOPES, Token
from records.base.keys import base58
from records.base.transient import lock_names

#: The prefix of every token, by which scanners find leaked tokens in texts.
MARK: Final = "hana_"
_BYTES: Final = 32
_FORM: Final = re.compile(rf"{MARK}[1-9A-Za-z]{{{len(base58(bytes(_BYTES)))}}}", re.ASCII)
#: Precision of the stored time of last use.
USED_PRECISION: Final = timedelta(minutes=1)
#: Default lifetime of a token.
LIFETIME: Final = timedelta(days=365)
#: Maximum number of tokens of a user.
MAX_TOKENS: Final = 50


@dataclass(frozen=True, slots=True)
class Access:
    """The access of a program to the account of ``owner``, within ``scopes``."""

    owner: Any
    scopes: tuple[str, ...]

    def allows(self, *scopes: str) -> bool:
        """Return whether the program has at least one of ``scopes``."""
        return not set(scopes).isdisjoint(self.scopes)


class TooManyTokens(Exception):
    """A user with `MAX_TOKENS` tokens already."""


@transaction.atomic
def create_token(
    *,
    owner: Any,
    name: str,
    scopes: Iterable[str],
    lifetime: timedelta | None = LIFETIME,
) -> tuple[Token, str]:
    """Create a token; return the token and the text, which cannot be shown again.

    With ``lifetime`` None the token is valid until revoked. Raise ValueError for unknown scopes or
    scopes reserved for staff, and :class:`TooManyTokens`.
    """
    requested = set(scopes)
    if not requested or requested - set(allowed_scopes(owner)):
        raise ValueError(f"scopes: some of {', '.join(allowed_scopes(owner))}")
    lock_names(f"tokens of {owner.pk}")
    if Token.objects.filter(owner=owner, revoked=None).count() >= MAX_TOKENS:
        raise TooManyTokens
    text = MARK + base58(secrets.token_bytes(_BYTES))
    token = Token.objects.create(
        owner=owner,
        name=name,
        prefix=text[: len(MARK) + 5],
        hash=_hash(text),
        scopes=" ".join(scope for scope in SCOPES if scope in requested),
        expires=None if lifetime is None else timezone.now() + lifetime,
    )
    return token, text


def allowed_scopes(owner: Any) -> tuple[str, ...]:
    """Return the scopes that a user's tokens may have; ``admin`` is for staff."""
    return SCOPES if owner.is_staff else SCOPES[:-1]


def find_access(text: str) -> Access | None:
    """Return the access that a valid token gives, or None; record the use of an API token."""
    # A random secret of 256 bits needs no slow hash and no constant-time comparison.
    if text.startswith(applications.ACCESS_MARK):
        issued = (
            AccessToken.objects.select_related("user").filter(token_checksum=_hash(text)).first()
        )
        if issued is None or issued.is_expired() or not issued.user.is_active:
            return None
        return Access(issued.user, tuple(issued.scope.split()))
    if not _FORM.fullmatch(text):
        return None
    token = Token.objects.select_related("owner").filter(hash=_hash(text)).first()
    if token is None or not token.is_valid or not token.owner.is_active:
        return None
    now = timezone.now()
    if token.used is None or now - token.used > USED_PRECISION:
        Token.objects.filter(pk=token.pk).update(used=now)
    return Access(token.owner, tuple(token.scopes.split()))


def revoke(token: Token) -> None:
    """Revoke the token."""
    Token.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())


def has_programs(owner: Any) -> bool:
    """Return whether programs can use the account, by a token or as an application."""
    return _valid_tokens(owner).exists() or bool(applications.list_access(owner))


def revoke_all(owner: Any) -> int:
    """Revoke all tokens of a user and of applications; return the number of tokens that ended."""
    return _valid_tokens(owner).update(revoked=timezone.now()) + applications.revoke(owner)


def _valid_tokens(owner: Any) -> QuerySet[Token]:
    return Token.objects.filter(owner=owner, revoked=None).exclude(expires__lte=timezone.now())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
