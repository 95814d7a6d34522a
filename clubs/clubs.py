"""Founding, changing and deleting of clubs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.changes import change
from clubs.models import ADDRESS, NAME, WORDS, Club, Member, Role
from clubs.names import add_name
from clubs.refused import Refused
from kafu.facade.errors import BadValue
from kafu.facade.rulesets import options_of
from kafu.rules.rulesets import RULESETS
from records.privacy import revisions

#: Maximum number of clubs that an account founded.
MOST_FOUNDED: Final = 10
_ADDRESS: Final = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{ADDRESS - 2}}}[a-z0-9])?", re.ASCII)
#: Words of addresses of the site.
RESERVED: Final = frozenset(("new", "mine", "join", "feed", "preview"))


def found(account: int, *, key: str, name: str, player: str, **fields: Any) -> Club:
    """Found a club; the founder plays as ``player``. Raise Refused.

    ``fields`` are further fields of the club.
    """
    check_address(key)
    fields = check_fields({"name": name, **fields})
    with transaction.atomic():
        get_user_model().objects.select_for_update().get(pk=account)
        if Member.objects.filter(account=account, role=Role.FOUNDER).count() >= MOST_FOUNDED:
            text = _("You founded %(most)d clubs already, the most that an account can have.")
            raise Refused("full", text % {"most": MOST_FOUNDED})
        try:
            with transaction.atomic():
                club = Club.objects.create(key=key, **fields)
        except IntegrityError as error:
            text = _("The address %(key)s is taken: choose another one.")
            raise Refused("address-taken", text % {"key": key}, "key") from error
        with change(club, account, "found", {"name": club.name}) as work:
            member = Member(club=club, name=player, account_id=account, role=Role.FOUNDER)
            work.create(member)
            add_name(work, member, player)
    return club


def check_address(key: str) -> None:
    """Raise Refused unless a key can be the address of a club."""
    if not _ADDRESS.fullmatch(key) or key in RESERVED:
        text = _("An address has 1 to %(most)d small letters a to z, digits, and hyphens between.")
        raise Refused("address", text % {"most": ADDRESS}, "key")


def check_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked fields of a club. Raise Refused."""
    checked = dict(fields)
    for name, most in (("name", NAME), ("words", WORDS)):
        if name in checked:
            checked[name] = text = checked[name].replace("\0", "").strip()
            if len(text) > most or (name == "name" and not text):
                words = _("The name needs 1 to %(most)d letters.")
                if name == "words":
                    words = _("The description has at most %(most)d letters.")
                raise Refused("too-long", words % {"most": most}, name)
    if "houses" in checked:
        checked["houses"] = check_houses(checked["houses"])
    return checked


def check_houses(houses: Mapping[str, str]) -> dict[str, str]:
    """Return house rules by ruleset in canonical form, without empty ones. Raise Refused."""
    checked = {}
    for ruleset, written in houses.items():
        if ruleset not in RULESETS:
            text = _("There is no ruleset %(name)s.")
            raise Refused("no-ruleset", text % {"name": ruleset[:40]}, "houses")
        try:
            options = options_of(ruleset, written)
        except BadValue as error:
            raise Refused("house", str(error), "houses") from error
        if options:
            checked[ruleset] = " ".join(f"{name}={options[name]}" for name in sorted(options))
    return checked


def update(access: Access, fields: Mapping[str, Any], was: str = "") -> None:
    """Change fields of a club, by an officer. Raise Refused and `clubs.changes.ChangedMeanwhile`.

    The address stays, because links lead to it.
    """
    access.require(Role.OFFICER)
    with change(access.club, access.viewer.user, "club", {"name": access.club.name}) as work:
        work.update(access.club, was=was, **check_fields(fields))


def delete(access: Access) -> None:
    """Delete a club with its seasons and evenings, by the founder; games stay. Raise Refused."""
    access.require(Role.FOUNDER)
    with transaction.atomic():
        # Changes of others end before, so that no new row refers to the club.
        Club.objects.select_for_update().get(pk=access.club.pk)
        access.club.delete()
        revisions.advance(revisions.OTHER)
