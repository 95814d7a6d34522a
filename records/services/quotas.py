"""The quotas of the viewer of a page."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from records.ingest import quotas
from records.privacy.access import viewer_of
from records.serving.senders import hashed, sender_of


@dataclass(frozen=True, slots=True)
class QuotaLine:
    """One quota in words; ``limit`` is "" for an unlimited quota."""

    title: str
    used: str
    limit: str


def shown_quotas(request: HttpRequest) -> list[QuotaLine]:
    """Return all quotas of the viewer, for ``records/_quotas.html``."""
    titles = {
        quotas.BYTES: _("Size"),
        quotas.GAMES: _("Games"),
        quotas.MALFORMED: _("Unreadable games"),
    }
    states = quotas.standing(hashed(sender_of(request)), viewer_of(request).user)
    return [
        QuotaLine(
            titles[name],
            _figure(name, state.used),
            _figure(name, state.limit) if state.limit else "",
        )
        for name, state in states.items()
    ]


def _figure(name: str, count: int) -> str:
    if name == quotas.BYTES:
        return filesizeformat(count)
    return str(number_format(count, force_grouping=True))
