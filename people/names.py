"""Checks of user names: reserved, unreadable, or similar to another account's name.

An account reserves the skeletons of the user name (`NameSkeleton`), each stored in a unique row.
If two users register similar names at the same moment, the second is refused. Older accounts, and
accounts created by an operator's command, are exempt.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from people.models import NameSkeleton
from records.base.lookalikes import is_readable, skeletons

#: Names that could be mistaken for the operators or for anonymous users.
RESERVED: Final = frozenset(
    {
        *("admin", "administrator", "root", "operator", "moderator", "mod", "staff", "support"),
        *("system", "security", "abuse", "postmaster", "hostmaster", "webmaster", "noreply"),
        *("no-reply", "info", "help", "contact", "official", "hanaarchive", "hana", "archive"),
        *("anonymous", "nobody", "everybody", "everyone", "null", "none", "undefined", "unknown"),
        *("api", "www", "mail", "me", "account"),
        *(
            "管理者",
            "管理人",
            "運営",
            "運営者",
            "事務局",
            "公式",
            "スタッフ",
            "サポート",
            "匿名",
            "名無し",
        ),
    }
)


class NameTaken(Exception):
    """A name that looks like a name registered at the same moment."""


def check_name(name: str, user: Any = None) -> None:
    """Raise ValidationError for a name that ``user``, or a new account, may not choose."""
    if not is_readable(name):
        raise ValidationError(
            _("Use letters or digits of one script: %(name)s could be mistaken for another name.")
            % {"name": name}
        )
    looks = skeletons(name)
    if looks & _reserved_skeletons():
        raise ValidationError(_("This name is reserved. Please choose another one."))
    other_skeletons = NameSkeleton.objects.filter(skeleton__in=map(_hash, looks))
    if user is not None and user.pk:
        other_skeletons = other_skeletons.exclude(owner=user.pk)
    if other_skeletons.exists():
        raise ValidationError(similar_name_message())


@cache
def _reserved_skeletons() -> frozenset[str]:
    return frozenset().union(*map(skeletons, RESERVED))


def similar_name_message() -> str:
    """Return the message about a name that looks like another account's name."""
    return _("This name looks too much like that of another account.")


def reserve_name(user: Any) -> None:
    """Reserve the skeletons of an account's name, except those of other accounts."""
    looks = {_hash(skeleton) for skeleton in skeletons(user.get_username())}
    with transaction.atomic():
        reserved = NameSkeleton.objects.filter(owner=user.pk)
        reserved.exclude(skeleton__in=looks).delete()
        rows = [NameSkeleton(owner_id=user.pk, skeleton=look) for look in sorted(looks)]
        NameSkeleton.objects.bulk_create(rows, ignore_conflicts=True)


def require_reserved(user: Any) -> None:
    """Raise :class:`NameTaken` if another account reserved a skeleton of this account's name."""
    looks = skeletons(user.get_username())
    if NameSkeleton.objects.filter(owner=user.pk).count() < len(looks):
        raise NameTaken


def _hash(skeleton: str) -> str:
    """Return the stored hash of a skeleton, which may be much longer than the name."""
    return hashlib.sha256(skeleton.encode()).hexdigest()
