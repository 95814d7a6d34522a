"""Short opaque keys for URLs: base58, so that none of its letters can be taken for another."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from typing import Final

from records.base.spelling import normalized

ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data: bytes) -> str:
    """Bytes as base58 of a width fixed by their number (8 bytes: 11 characters).

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
    """A new key nobody can guess: 11 characters of 64 random bits."""
    return base58(secrets.token_bytes(8))


def record_key(identity: str, size: int = 8) -> str:
    """The key of a game, from the first ``size`` bytes of its identity (64 hex digits).

    Made from the game alone, so that an archive built anew keeps its URLs.
    """
    return base58(bytes.fromhex(identity)[:size])


def player_name(written: str) -> str:
    """A name as it is shown: composed letters (NFC), single spaces, none at the ends.

    >>> player_name("  Aya   Sato ")
    'Aya Sato'
    """
    return " ".join(unicodedata.normalize("NFC", written).split())


def player_key(written: str) -> str:
    """The key of a player: 22 characters from the SHA-256 of the name as names are compared, so
    that all spellings of a name (`records.base.spelling.normalized`) have one.

    >>> player_key("Aya Sato") == player_key("ＡＹＡ_sato")
    True
    """
    return base58(hashlib.sha256(normalized(written).encode()).digest()[:16])


#: Letters of a searched name: what `Player.folded` and `Listing.event` have room for.
FOLDED: Final = 100


def searched(written: str) -> str:
    """The name of a player, or a part of one, as it is searched: as names are compared, cut to fit.

    >>> searched("Aya_S")
    'aya s'
    """
    return normalized(written)[:FOLDED]


def fold(written: str) -> str:
    """The name of an event as it is searched: compatible forms and cases made one, single blanks,
    cut to fit.

    >>> fold("  Ｋyoto   OPEN ")
    'kyoto open'
    """
    folded = unicodedata.normalize("NFKC", written).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())[:FOLDED]
