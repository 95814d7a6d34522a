"""Public comments at steps of games.

Every viewer of a game sees its comments, as plain text with pseudonyms. Comments that the staff hid
are visible in the admin only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from records.models import Comment, CommentReport, Record
from records.privacy import revisions
from records.privacy.access import Viewer
from records.privacy.redaction import archive_redaction
from records.services.studies import has_step
from records.shapes.studies import CommentJson

#: Maximum number of comments on a game, in all and of an account.
MAX_PER_GAME: Final = 500
MAX_PER_ACCOUNT: Final = 50


class TooManyComments(Exception):
    """The error for a game with ``most`` comments, in all or of an account."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most}")
        self.most = most


def comments_of(record: Record) -> QuerySet[Comment]:
    """Return the visible comments on a game, the oldest first."""
    comments = _visible().filter(record=record.pk)
    return comments.select_related("author").order_by("id")


def comments_by_step(record: Record) -> QuerySet[Comment]:
    """Return the visible comments on a game in the order of their steps."""
    return comments_of(record).order_by("deal", "step", "id")


def state_of(key: str) -> tuple[object, ...]:
    """Return a value that changes whenever the visible comments on a game change."""
    rows = _visible().filter(record__key=key).order_by("id")
    return tuple(rows.values_list("pk", "author__username"))


def _visible() -> QuerySet[Comment]:
    return Comment.objects.filter(hidden=None, author__is_active=True)


def show(comments: Iterable[Comment], viewer: Viewer) -> list[CommentJson]:
    """Return comments as a viewer sees them."""
    redaction = archive_redaction()
    return [
        CommentJson.build(
            comment,
            at=f"{comment.deal}.{comment.step}",
            author=comment.author.get_username(),
            own=comment.author_id == viewer.user,
            text=str(redaction.redact(comment.text)),
        )
        for comment in comments
    ]


class NoStep(Exception):
    """The error for a step that a game does not have."""


def add(record: Record, author: int, place: tuple[int, int], text: str) -> Comment:
    """Add a comment at a place (deal and step). Raise NoStep or TooManyComments."""
    if not has_step(record, *place):
        raise NoStep
    with transaction.atomic():
        # Lock the game, because simultaneous comments could exceed the limits.
        Record.objects.select_for_update().only("pk").get(pk=record.pk)
        comments = Comment.objects.filter(record=record.pk)
        if comments.filter(author=author).count() >= MAX_PER_ACCOUNT:
            raise TooManyComments(MAX_PER_ACCOUNT)
        if comments.count() >= MAX_PER_GAME:
            raise TooManyComments(MAX_PER_GAME)
        deal, step = place
        revisions.advance(revisions.OTHER)
        return Comment.objects.create(
            record_id=record.pk, author_id=author, deal=deal, step=step, text=text
        )


def find(key: str) -> Comment | None:
    """Return the visible comment with a key, or None. Its game may be hidden from the viewer."""
    comments = _visible().filter(key=key.replace("\0", ""))
    return comments.select_related("author", "record").first()


def may_delete(comment: Comment, viewer: Viewer) -> bool:
    """Return whether a viewer may delete a comment: its author and the staff may."""
    return viewer.staff or (viewer.user is not None and comment.author_id == viewer.user)


@transaction.atomic
def delete(comment: Comment) -> None:
    """Delete a comment."""
    comment.delete()
    revisions.advance(revisions.OTHER)


def report(comment: Comment, reporter: int, reason: str) -> None:
    """Report a comment to the staff. A second report of an account replaces the first."""
    CommentReport.objects.update_or_create(
        comment=comment, reporter_id=reporter, defaults={"reason": reason}
    )


@transaction.atomic
def hide(comments: QuerySet[Comment]) -> int:
    """Hide comments from all pages. Return the number of newly hidden comments."""
    revisions.advance(revisions.OTHER)
    return comments.filter(hidden=None).update(hidden=timezone.now())


@transaction.atomic
def restore(comments: QuerySet[Comment]) -> int:
    """Show hidden comments again and delete their reports. Return the number of comments."""
    revisions.advance(revisions.OTHER)
    pks = list(comments.exclude(hidden=None).values_list("pk", flat=True))
    CommentReport.objects.filter(comment__in=pks).delete()
    return Comment.objects.filter(pk__in=pks).update(hidden=None)
