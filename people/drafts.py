"""Storage of drafts of games and score sheets: the newest version of each, in limited number."""

from __future__ import annotations

import json
from typing import Final

from django.contrib.auth import get_user_model
from django.db import transaction
from msgspec.structs import asdict

from people.models import Draft
from people.shapes import SentDraft

#: Maximum number of drafts of an account, and maximum bytes of a state as JSON in UTF-8.
MAX_DRAFTS: Final = 100
MAX_BYTES: Final = 256 << 10


class TooManyDrafts(Exception):
    """An account with the maximum number of drafts, none of which is dropped for a new draft."""


class DraftTooLarge(Exception):
    """A state with more bytes than a draft can have."""


def store(owner: int, key: str, sent: SentDraft) -> Draft:
    """Store a draft unless a newer version of its key is stored; return the stored version.

    Raise TooManyDrafts and DraftTooLarge.
    """
    # A lone surrogate could not be written in a response.
    data = json.dumps(sent.state, ensure_ascii=False).encode(errors="replace")
    if len(data) > MAX_BYTES:
        raise DraftTooLarge
    with transaction.atomic():
        # The lock keeps concurrent requests from exceeding the limit together.
        get_user_model().objects.select_for_update().get(pk=owner)
        draft = Draft.objects.filter(owner=owner, key=key).first()
        if draft is not None and draft.changed >= sent.changed:
            return draft
        if draft is None and Draft.objects.filter(owner=owner).count() >= MAX_DRAFTS:
            raise TooManyDrafts
        fields = asdict(sent) | {"state": data.decode()}
        return Draft.objects.update_or_create(owner_id=owner, key=key, defaults=fields)[0]
