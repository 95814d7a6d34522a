"""Creation, lookup and revocation of API tokens."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

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


def find_token(text: str) -> Token | None:
    """Return the valid token with a text and record its use, or None."""
    if not _FORM.fullmatch(text):
        return None
    # A random secret of 256 bits needs no slow hash and no constant-time comparison.
    token = Token.objects.select_related("owner").filter(hash=_hash(text)).first()
    if token is None or not token.is_valid or not token.owner.is_active:
        return None
    now = timezone.now()
    if token.used is None or now - token.used > USED_PRECISION:
        Token.objects.filter(pk=token.pk).update(used=now)
    return token


def revoke(token: Token) -> None:
    """Revoke the token."""
    Token.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())


def valid_tokens(owner: Any) -> QuerySet[Token]:
    """Return the tokens of a user that are neither revoked nor expired."""
    return Token.objects.filter(owner=owner, revoked=None).exclude(expires__lte=timezone.now())


def revoke_all(owner: Any) -> int:
    """Revoke all tokens of a user; return the number of tokens that were valid."""
    return valid_tokens(owner).update(revoked=timezone.now())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
