"""The names of players in open data."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from django.conf import settings

from records.base.keys import base58
from records.models import Player, Record
from records.privacy.masking import masked
from records.privacy.redaction import archive_redaction


class Masks:
    """The names of the players of some games in open data.

    Players with a pseudonym appear under the pseudonym. Players who opted out of statistics appear
    as a word that is the same in every dump and does not identify them.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        """Take records with prefetched ``seats__player``."""
        self.redaction = archive_redaction()
        self.names = {
            record.pk: {
                seat.number: name
                for seat in record.seats.all()
                if (name := _mask_name(seat.player)) is not None
            }
            for record in records
        }

    def text(self, record: Record) -> str:
        """Return the text of a game with the shown names."""
        names = self.names[record.pk]
        replaced, unchanged = {}, []
        for seat in record.seats.all():
            if seat.number in names:
                replaced[seat.player.real_name or seat.player.name] = names[seat.number]
            else:
                unchanged.append(seat.player.name)
        return masked(record.text, names, self.redaction.within(replaced, unchanged))


def _mask_name(player: Player) -> str | None:
    """Return the replacement of a player's name, None if the name may stay."""
    if not player.statistics:
        # The key prevents finding the name by hashing names.
        key = hashlib.sha256(f"open data {settings.SECRET_KEY}".encode()).digest()
        return f"player-{base58(hmac.digest(key, player.origin.encode(), 'sha256')[:8])}"
    return player.name if player.real_name else None
