"""Families of yaku: dealt-hand, captured and special yaku, and other payments."""

from __future__ import annotations

from functools import lru_cache

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from kafu.notation.vocabulary import SHOWS
from kafu.rules.play.ledger import OTHER
from kafu.rules.rulesets import RULESETS


class Family(TextChoices):
    """Families of yaku ids (rulings.md)."""

    DEALT = "dealt", _("dealt-hand yaku")
    CAPTURED = "captured", _("captured yaku")
    SPECIAL = "special", _("special yaku")
    OTHER = "other", _("other payment")


@lru_cache(1024)  # a score sheet may contain any label
def family_of(label: str) -> Family:
    """Return the family of a yaku id, ``other`` for other labels (card points, fees, prizes).

    >>> family_of("aotan").value, family_of("kobiki").value
    ('captured', 'other')
    """
    if label in SHOWS:
        return Family.DEALT
    if any(label in rules.special for rules in RULESETS.values()):
        return Family.SPECIAL
    return Family.OTHER if label in OTHER else Family.CAPTURED
