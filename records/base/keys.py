"""Short opaque keys for URLs, in base58, an alphabet without look-alike letters."""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Final

from records.base.spelling import compose, fold_case, normalized

ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data: bytes) -> str:
    """Return bytes as base58, padded to a fixed width (8 bytes: 11 characters).

    >>> base58(bytes(7) + b"\\x3a")
    '11111111121'
    """
    width = -(-len(data) * 8000 // 5857)
    number = int.from_bytes(data)
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 58)
        digits = ALPHABET[digit] + digits
    return digits


def random_key() -> str:
    """Return a new unguessable key: 11 characters of 64 random bits."""
    return base58(secrets.token_bytes(8))


def record_key(identity: str, size: int = 8) -> str:
    """Return the key of a game, from the first ``size`` bytes of its identity (64 hex digits).

    The key depends only on the game, so that URLs survive a rebuild of the archive.
    """
    return base58(bytes.fromhex(identity)[:size])


def player_name(written: str) -> str:
    """Normalize a name for display: composed letters (NFC), single spaces, none at the ends.

    >>> player_name("  Aya   Sato ")
    'Aya Sato'
    """
    return " ".join(compose(written).split())


@lru_cache(2048)  # storing a game needs the key of each name several times
def player_key(written: str) -> str:
    """Return the key of a player: 22 characters of the SHA-256 of the normalized name.

    All spellings of a name (`records.base.spelling.normalized`) have the same key.

    >>> player_key("Aya Sato") == player_key("ＡＹＡ_sato")
    True
    """
    return base58(hashlib.sha256(normalized(written).encode()).digest()[:16])


#: Maximum length of a search key: the width of `Player.folded` and `Listing.event`.
FOLDED: Final = 100


def searched(written: str) -> str:
    """Return the search key of a player's name or of a part: normalized, cut to `FOLDED`.

    >>> searched("Aya_S")
    'aya s'
    """
    return normalized(written)[:FOLDED]


def fold(written: str) -> str:
    """Return the search key of an event, cut to `FOLDED`.

    Compatible forms and cases are folded, and blanks become single.

    >>> fold("  Ｋyoto   OPEN ")
    'kyoto open'
    """
    return " ".join(fold_case(written).split())[:FOLDED]


def feature_key(word: str, ruleset: str) -> str:
    """Return the value of `ListedFeature.feature` for a yaku or field grade of a ruleset.

    >>> feature_key("goko", "koikoi")
    'goko koikoi'
    """
    return f"{word} {ruleset}"


def hash_number(*parts: object) -> int:
    """Return a number of 63 bits that depends on the given parts only."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
