"""Public comments at steps: what is shown, said, reported, hidden and deleted.

Whoever may see a game sees its comments, in plain text, with pseudonyms in the place of names as
everywhere. One that the staff hid is shown to nobody but in the admin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from records.models import Comment, CommentReport, Record
from records.privacy import revisions
from records.privacy.access import Viewer
from records.privacy.redaction import of_archive
from records.studies.branches import has_step

#: Comments of a game, and of one person at it.
MOST_OF_GAME: Final = 500
MOST_OF_PERSON: Final = 50


class TooManyComments(Exception):
    """A game has all the comments that it, or one person's of it, can have: ``most``."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most}")
        self.most = most


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment as a viewer sees it, at a step (``3.14``); ``is_own``: the viewer wrote it."""

    key: str
    at: str
    author: str
    created: datetime
    text: str
    is_own: bool


def comments_of(record: Record) -> QuerySet[Comment]:
    """The comments of a game that are shown, the oldest first."""
    found = _seen().filter(record=record.pk)
    return found.select_related("author").order_by("id")


def by_step(record: Record) -> QuerySet[Comment]:
    """The same in the order of their steps."""
    return comments_of(record).order_by("deal", "step", "id")


def state_of(key: str) -> tuple[object, ...]:
    """What is another one whenever the comments that are shown of a game are."""
    rows = _seen().filter(record__key=key).order_by("id")
    return tuple(rows.values_list("pk", "author__username"))


def _seen() -> QuerySet[Comment]:
    return Comment.objects.filter(hidden=None, author__is_active=True)


def shown(comments: Iterable[Comment], viewer: Viewer) -> list[ShownComment]:
    """Comments as a viewer sees them."""
    return [
        ShownComment(
            one.key,
            f"{one.deal}.{one.step}",
            one.author.get_username(),
            one.created,
            shown_text(one),
            one.author_id == viewer.user,
        )
        for one in comments
    ]


def shown_text(comment: Comment) -> str:
    """Its text with pseudonyms in the place of names that are hidden."""
    return str(of_archive().replaced(comment.text))


class NoStep(Exception):
    """The game has no such step."""


def say(record: Record, author: int, place: tuple[int, int], text: str) -> Comment:
    """A comment at a step, deal and step. Raises NoStep and TooManyComments."""
    if not has_step(record, *place):
        raise NoStep
    with transaction.atomic():
        # One after the other, or two at once would exceed the numbers together.
        Record.objects.select_for_update().only("pk").get(pk=record.pk)
        there = Comment.objects.filter(record=record.pk)
        if there.filter(author=author).count() >= MOST_OF_PERSON:
            raise TooManyComments(MOST_OF_PERSON)
        if there.count() >= MOST_OF_GAME:
            raise TooManyComments(MOST_OF_GAME)
        deal, step = place
        revisions.advance()
        return Comment.objects.create(
            record_id=record.pk, author_id=author, deal=deal, step=step, text=text
        )


def found(key: str) -> Comment | None:
    """The comment with this key, if it is shown to those who may see its game."""
    known = _seen().filter(key=key.replace("\0", ""))
    return known.select_related("author", "record").first()


def may_delete(comment: Comment, viewer: Viewer) -> bool:
    """Its author may, and the staff."""
    return viewer.staff or (viewer.user is not None and comment.author_id == viewer.user)


@transaction.atomic
def remove(comment: Comment) -> None:
    """Delete a comment."""
    comment.delete()
    revisions.advance()


def report(comment: Comment, reporter: int, reason: str) -> None:
    """Tell the staff; once a person, a later reason takes the place of the former one."""
    CommentReport.objects.update_or_create(
        comment=comment, reporter_id=reporter, defaults={"reason": reason}
    )


@transaction.atomic
def hide(comments: QuerySet[Comment]) -> int:
    """Hide comments from everybody; how many were not hidden before."""
    revisions.advance()
    return comments.filter(hidden=None).update(hidden=timezone.now())


@transaction.atomic
def restore(comments: QuerySet[Comment]) -> int:
    """Show hidden comments again, and forget what was reported of them; how many."""
    revisions.advance()
    found = list(comments.exclude(hidden=None).values_list("pk", flat=True))
    CommentReport.objects.filter(comment__in=found).delete()
    return Comment.objects.filter(pk__in=found).update(hidden=None)
