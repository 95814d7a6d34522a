"""The payments of a house for its page of rules, from the table of its machine.

Payments that differ in nothing but name and value are a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.names import YAKU, Name
from kafu.rules.payments import Payers, PaymentKind, PaymentRow, PaymentTable, Receivers
from records.base import labels
from records.pages.rulebook.entries import format_amount

#: More values of a payment are shown as a range.
_MOST_VALUES: Final = 3
_RULING: Final = re.compile(r"([A-Z])(\d+)(?:–[A-Z](\d+))?")


#: Labels and texts.
Facts = tuple[tuple[str, str], ...]


class ShownPayment(NamedTuple):
    """A payment: name, value, and the better yaku in whose place it is not paid."""

    name: Name
    worth: str
    replaced: str


class PaymentGroup(NamedTuple):
    """Payments with the same ``facts``. ``rulings`` are marks such as ``[K5] [K6]``."""

    title: str
    facts: Facts
    rulings: str
    payments: tuple[ShownPayment, ...]


def list_groups(description: Ruleset, table: PaymentTable) -> Iterator[PaymentGroup]:
    """Yield the payments of a house in the order of its table."""
    titles = {
        PaymentKind.DEALT: _("Dealt-hand yaku"),
        PaymentKind.CAPTURED: _("Captured yaku"),
        PaymentKind.SPECIAL: _("Special yaku"),
        PaymentKind.OTHER: _("Other payments"),
    }
    groups: dict[tuple[PaymentKind, Facts, str], list[ShownPayment]] = {}
    for row in table.values():
        payment = ShownPayment(
            YAKU[row.id], format_values(description, row), _list_better(table, row)
        )
        key = row.kind, _list_facts(description, table, row), row.ruling
        groups.setdefault(key, []).append(payment)
    for (kind, facts, ruling), payments in groups.items():
        yield PaymentGroup(titles[kind], facts, _list_rulings(ruling), tuple(payments))


def format_values(description: Ruleset, row: PaymentRow) -> str:
    """Return the values of a payment in the unit of the document, "" for a mark without a value."""
    if row.payers is Payers.BALANCE:
        return _("the difference")
    if not row.each:
        return _("by the total")
    if not any(row.each):
        return ""
    is_range = len(row.each) > _MOST_VALUES
    values = (row.each[0], row.each[-1]) if is_range else row.each
    *texts, last = (format_amount(description, amount) for amount in values)
    unit = last.lstrip("0123456789.")
    return (" – " if is_range else " / ").join([*(text.removesuffix(unit) for text in texts), last])


def _list_facts(description: Ruleset, table: PaymentTable, row: PaymentRow) -> Facts:
    """Return who pays, who may receive, and what strikes a payment out."""
    if row.marks:
        return ((_("Paid by"), _("nobody; its player deals next")),)
    struck = ""
    if row.struck:
        marks = [mark.id for mark in table.values() if mark.marks]
        struck = labels.listed(map(labels.yaku, marks)) or _("special yaku")
    facts = (
        (_("Paid by"), _describe_payers(description, row)),
        (_("Paid to"), _describe_receivers(row)),
        (_("Struck out by"), struck),
        (_("By half"), _("after sage (下げ)") if row.halves else ""),
    )
    return tuple((label, text) for label, text in facts if text)


def _describe_payers(description: Ruleset, row: PaymentRow) -> str:
    if row.alone:
        return _("each of the other two, or one of them for both")
    if row.payers is Payers.PLAYING and description.seats[0] == 2:
        return _("the other player")
    return {
        Payers.PLAYING: _("each of the other two"),
        Payers.TABLE: _("everybody else at the table"),
        Payers.ONE: _("a player who is out"),
        Payers.NOBODY: _("nobody"),
        Payers.BALANCE: _("players with fewer points"),
    }[row.payers]


def _describe_receivers(row: PaymentRow) -> str:
    if row.payers is Payers.BALANCE:
        return _("players with more points")
    return {
        Receivers.PLAYING: _("any player in play"),
        Receivers.FIRST: _("the first in play order"),
        Receivers.SECOND: _("the second in play order (dōni, 胴二)"),
        Receivers.LAST: _("the last in play order (biki, ビキ)"),
        Receivers.IDLE: _("a player who was shut out"),
        Receivers.BLIND: _("the dealer, at a table of more than three"),
        Receivers.AT_LARGE_TABLE: _("any player in play, at a table of more than three"),
    }[row.receivers]


def _list_better(table: PaymentTable, row: PaymentRow) -> str:
    """Return the captured yaku in whose place one is not paid."""
    if row.kind is not PaymentKind.CAPTURED:
        return ""
    ids: Sequence[str] = [better.id for better in table.values() if row.id in better.excludes]
    names = (YAKU[id].ja if labels.lang() == "ja" else YAKU[id].romaji for id in ids)
    return _("not with %(yaku)s") % {"yaku": labels.listed(names)} if ids else ""


def _list_rulings(ruling: str) -> str:
    """Return the marks of rulings such as ``K5–K7, K15``.

    >>> _list_rulings("K5–K7, K15")
    '[K5] [K6] [K7] [K15]'
    """
    numbers = (
        f"[{letter}{number}]"
        for letter, first, last in _RULING.findall(ruling)
        for number in range(int(first), int(last or first) + 1)
    )
    return " ".join(numbers)
