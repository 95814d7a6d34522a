"""Declarations of dealt hands (手役): the checks of a ``show`` in every ruleset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from kafu import cards
from kafu.rules import codes
from kafu.rules.play import completing
from kafu.rules.play.actions import Illegal, Show
from kafu.rules.play.table import TableCards


class Declaration(Protocol):
    """A right declaration of a hand: yaku ids, and the cards (mask) laid open."""

    @property
    def yaku(self) -> tuple[str, ...]: ...
    @property
    def cards(self) -> int: ...


def check(
    right: Sequence[Declaration],
    seat: int,
    yaku: tuple[str, ...],
    opened: int | None,
    *,
    rulings: tuple[str, str],
    where: str = "",
) -> None:
    """Raise Illegal unless ``seat`` declares one of the ``right`` declarations.

    ``opened`` are the cards laid open, None if they were checked before. ``rulings`` are the two
    rulings on the yaku of a hand and on the cards laid open.
    """
    if any(declared.yaku == yaku and opened in (None, declared.cards) for declared in right):
        return
    name = "+".join(yaku)
    names = tuple(dict.fromkeys("+".join(declared.yaku) for declared in right))
    if not names:
        raise Illegal(codes.SHOW_FALSE, where=where, seat=seat, yaku=name)
    if name not in names:
        raise Illegal(
            codes.SHOW_LOWER,
            where=where,
            expected=names,
            seat=seat,
            yaku=name,
            due=" / ".join(names),
            ruling=rulings[0],
        )
    assert opened is not None, "otherwise the yaku alone would be right"
    raise Illegal(
        codes.SHOW_CARDS,
        where=where,
        expected=tuple(
            cards.letters(declared.cards) for declared in right if declared.yaku == yaku
        ),
        seat=seat,
        cards=cards.letters(opened),
        ruling=rulings[1],
    )


class HiddenCheck(NamedTuple):
    """The requirement of a declaration on a hand, for `check_hidden`.

    ``right`` decides for a whole hand (mask). The result depends on the counts of the months if
    ``by_month``, on the counts of ``classes`` of cards, and on the open cards (see `completing`).
    ``among`` are the possible cards of the covered part of the hand.
    """

    right: Callable[[int], bool]
    by_month: bool
    classes: tuple[int, ...] = ()
    among: int = cards.ALL


def check_hidden(
    laid: TableCards, shows: Sequence[Show], requirement: Callable[[Show], HiddenCheck]
) -> bool:
    """Return whether the known cards of a hidden hand prove the last of ``shows`` (C9).

    Three ribbons prove なさけ whatever the unknown cards are; counts of months are proved only by
    the whole hand. Raise Illegal if no completion of the hidden hands makes the last of ``shows``
    right together with the earlier ones.

    ``laid`` is the table with the shown cards open, ``shows`` are declarations of hands with
    unknown cards. If the work is too large, no declaration is refused.
    """
    hands = [_hidden_hand(laid, show.seat, requirement(show)) for show in shows]
    try:
        fits = completing.complete([(hand, True) for hand in hands], _budget()) is not None
    except completing.TooLarge:
        fits = True
    if not fits:
        code = codes.SHOW_RIGHT if shows[-1].disputed else codes.SHOW_FALSE
        raise Illegal(code, seat=shows[-1].seat, yaku="+".join(shows[-1].yaku))
    if not hands[-1].slots:
        return True
    any_cards = hands[-1]._replace(pool=cards.ALL & ~hands[-1].known)
    try:
        return not any_cards.by_month and completing.outcomes(any_cards, _budget()) == {True}
    except completing.TooLarge:
        return False


def _budget() -> completing.Budget:
    """Return the budget of one declaration."""
    return completing.Budget(completing.LIMIT)


def _hidden_hand(laid: TableCards, seat: int, check: HiddenCheck) -> completing.Hidden:
    """Return the hidden hand of a seat for a search by a requirement."""
    i = seat - 1
    pool = check.among & ~(laid.seen | laid.sunk)
    hand, slots = laid.hands[i], laid.hidden[i]
    return completing.Hidden(hand, slots, pool, check.right, check.by_month, check.classes)
