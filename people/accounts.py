"""Accounts: what becomes of everything when one goes."""

from __future__ import annotations

from typing import Any

from records.holdings import leave


def delete(user: Any, *, withdraw: bool) -> None:
    """Delete an account with its tokens, collections and requests; see `records.holdings.leave`.

    Games go first, some at a time: broken off, it can be done again.
    """
    user.is_active = False  # nothing more comes in under this name
    user.save(update_fields=["is_active"])
    leave(user.pk, withdraw=withdraw)
    user.delete()
