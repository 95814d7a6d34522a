"""Words for the log of a club."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Change, Role
from records.privacy.redaction import archive_redaction

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Text

#: The sentences of changes by id (`clubs.models.Change.what`).
SENTENCES: Final[Mapping[str, Text]] = {
    "found": gettext_lazy("founded the club %(name)s"),
    "club": gettext_lazy("changed the club"),
    "members-added": gettext_lazy("added members: %(names)s"),
    "invited": gettext_lazy("made an invitation for %(most)s, valid for %(days)s days"),
    "invite-revoked": gettext_lazy("withdrew an invitation"),
    "joined": gettext_lazy("joined as %(name)s"),
    "claim-confirmed": gettext_lazy("confirmed the name of %(name)s"),
    "claim-refused": gettext_lazy("did not confirm the name of %(name)s"),
    "merged": gettext_lazy("made %(name)s and %(into)s one member"),
    "split": gettext_lazy("made %(name)s a member of its own, apart from %(former)s"),
    "renamed": gettext_lazy("renamed %(name)s to %(into)s"),
    "role": gettext_lazy("made %(name)s: %(role)s"),
    "left": gettext_lazy("%(name)s left the club"),
    "removed": gettext_lazy("removed %(name)s"),
    "games-sent": gettext_lazy("sent games: %(count)s"),
    "game-corrected": gettext_lazy("corrected a game"),
    "games-added": gettext_lazy("added games: %(count)s"),
    "games-out": gettext_lazy("took games out of the club: %(count)s"),
    "games-moved": gettext_lazy("moved games to %(day)s: %(count)s"),
    "season": gettext_lazy("began the season %(name)s"),
    "season-changed": gettext_lazy("changed the season %(name)s"),
    "season-deleted": gettext_lazy("deleted the season %(name)s"),
    "entry": gettext_lazy("added an entry for %(name)s to %(season)s"),
    "totals": gettext_lazy("added totals to %(season)s: %(count)s"),
    "entry-deleted": gettext_lazy("deleted an entry for %(name)s from %(season)s"),
    "evening": gettext_lazy("wrote about the evening of %(day)s"),
    "evening-deleted": gettext_lazy("deleted the notes on the evening of %(day)s"),
    "tables": gettext_lazy("drew the tables of %(day)s"),
}


def sentence_of(change: Change) -> str:
    """Return what was changed, without the person, as a phrase in the active language."""
    values: dict[str, Any] = archive_redaction().redact(dict(change.values))
    what = values.pop("of", change.what)
    if "role" in values:
        values["role"] = str(Role[values["role"].upper()].label)
    phrase = str(SENTENCES[what]) % values
    if change.what == "undo":
        return _("took back: %(phrase)s") % {"phrase": phrase}
    return phrase
