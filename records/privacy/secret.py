"""What proves that an upload without an account is somebody's: words that nobody else has.

Its sender chooses them, or the form does; the archive keeps their hash alone.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

#: What may be chosen: letters and digits, so many that nobody guesses them.
FORM: Final = re.compile("[A-Za-z0-9_-]{22,100}")


def made() -> str:
    """A new secret: 22 characters of 128 random bits."""
    return secrets.token_urlsafe(16)


def hashed(secret: str) -> str:
    """What is kept of a secret; "" of none.

    Raises ValueError for one that is too short, or has other characters than `FORM`.
    """
    if not secret:
        return ""
    if not FORM.fullmatch(secret):
        raise ValueError("not a secret")
    return hashlib.sha256(secret.encode()).hexdigest()


def opens(kept: str, secret: str) -> bool:
    """Whether a secret is the one of which this is kept."""
    try:
        return bool(kept) and secrets.compare_digest(kept, hashed(secret))
    except ValueError:
        return False
