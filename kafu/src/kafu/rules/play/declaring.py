"""Declarations of dealt hands (手役): what every ruleset requires of one that is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from kafu import cards
from kafu.rules import codes
from kafu.rules.play import completing
from kafu.rules.play.actions import Illegal, Show
from kafu.rules.play.table import TableCards


class Declaration(Protocol):
    """A right way to declare a hand: yaku ids, and the cards (mask) that it lays open."""

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
    """Raise Illegal unless ``seat`` declares one of the ``right`` ways.

    ``opened`` are the cards laid open, None where they were checked before. ``rulings`` are those
    on which yaku a hand has, and on which cards it lays open.
    """
    if any(one.yaku == yaku and opened in (None, one.cards) for one in right):
        return
    name = "+".join(yaku)
    names = tuple(dict.fromkeys("+".join(one.yaku) for one in right))
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
    assert opened is not None, "else it is right"
    raise Illegal(
        codes.SHOW_CARDS,
        where=where,
        expected=tuple(cards.letters(one.cards) for one in right if one.yaku == yaku),
        seat=seat,
        cards=cards.letters(opened),
        ruling=rulings[1],
    )


class HiddenCheck(NamedTuple):
    """What a declaration requires of a hand, for `check_hidden`.

    ``right`` decides for a whole hand (mask). It depends on the counts of the months if
    ``by_month``, on the counts of ``classes`` of cards, and on which cards lie open (see
    `completing`). ``among`` are the possible cards of the covered part of the hand.
    """

    right: Callable[[int], bool]
    by_month: bool
    classes: tuple[int, ...] = ()
    among: int = cards.ALL


def check_hidden(
    laid: TableCards, shows: Sequence[Show], look: Callable[[Show], HiddenCheck]
) -> bool:
    """C9: raise Illegal if no completion of the hidden hands makes the last of ``shows`` right with
    all those before it. Return whether the known cards of its hand prove it, whatever the others
    are, as three slips prove なさけ; counts of months are proved by the whole hand only.

    ``laid`` is the table with the shown cards open, ``shows`` are declarations of hands with
    unknown cards. If the work is too large, nothing is refused.
    """
    hands = [_hidden(laid, show.seat, look(show)) for show in shows]
    try:
        fits = completing.complete([(hand, True) for hand in hands], _work()) is not None
    except completing.TooLarge:
        fits = True
    if not fits:
        code = codes.SHOW_RIGHT if shows[-1].disputed else codes.SHOW_FALSE
        raise Illegal(code, seat=shows[-1].seat, yaku="+".join(shows[-1].yaku))
    if not hands[-1].slots:
        return True
    whatever = hands[-1]._replace(pool=cards.ALL & ~hands[-1].known)
    try:
        return not whatever.by_month and completing.outcomes(whatever, _work()) == {True}
    except completing.TooLarge:
        return False


def _work() -> completing.Budget:
    return completing.Budget(completing.LIMIT)


def _hidden(laid: TableCards, seat: int, look: HiddenCheck) -> completing.Hidden:
    i = seat - 1
    pool = look.among & ~(laid.seen | laid.sunk)
    known, slots = laid.hands[i], laid.hidden[i]
    return completing.Hidden(known, slots, pool, look.right, look.by_month, look.classes)
