"""Secrets that prove ownership of an upload without an account.

The sender or the upload form chooses the secret. The archive stores a hash of it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

#: Letters and digits, long enough that a secret cannot be guessed.
SECRET_PATTERN: Final = re.compile("[A-Za-z0-9_-]{22,100}")


def new_secret() -> str:
    """Return a random secret of 22 characters (128 bits)."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """Return the hash of a secret, or "" for the empty string.

    Raise ValueError if the secret does not match `SECRET_PATTERN`.
    """
    if not secret:
        return ""
    if not SECRET_PATTERN.fullmatch(secret):
        raise ValueError("not a secret")
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(stored_hash: str, secret: str) -> bool:
    """Return whether a stored hash is the hash of a secret."""
    try:
        return bool(stored_hash) and secrets.compare_digest(stored_hash, hash_secret(secret))
    except ValueError:
        return False
