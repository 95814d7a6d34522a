"""Accounts: what follows from a new password, and from the end of one."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from people import mails, tokens
from records import errands, partials
from records.keys import random_key
from records.locks import Busy
from records.models import PartialUpload


def has_new_password(user: Any, request: HttpRequest, *, revoke: bool) -> None:
    """Revoke all tokens of a user whose password is another now, if so wished; mail it to him.

    His sessions end by themselves: each is bound to the hash of the password.
    """
    revoked = tokens.revoke_all(user) if revoke else 0
    context = {
        "user": user,
        "revoked": revoked,
        "kept": tokens.good(user).exists(),
        "reset": request.build_absolute_uri(reverse("password_reset")),
    }
    transaction.on_commit(lambda: mails.send(user.email, "changed", context))


def close(user: Any, *, withdraw: bool) -> None:
    """Close an account: nobody gets in by it any more, and its name is free for others.

    Its games follow some at a time (`records.errands`), then notes, collections, requests and the
    row go. ``withdraw`` takes the games back, else they stay as nobody's.
    """
    with transaction.atomic():
        user.username = f"closed-{random_key()}"
        user.first_name = user.last_name = user.email = ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()
        user.save()
        user.tokens.all().delete()
        errands.for_holder(user, withdraw=withdraw)
    for partial in PartialUpload.objects.filter(owner=user):
        try:
            partials.remove(partial)
        except Busy:
            pass  # its row goes with the account, its bytes as orphans
