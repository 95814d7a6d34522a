"""The exceptions of the library, each with a place in the game and the expected values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafu.notation.faults import Fault

if TYPE_CHECKING:
    from kafu.notation.actions import Action

#: Maximum number of expected values in a message; the error has them all.
NAMED: Final = 12


class Error(Exception):
    """Base class of the library's errors.

    ``code`` is a short id, ``message`` the sentence without place. ``line`` and ``column`` count
    from 1 in the text, ``deal`` and ``turn`` from 1 in the game; each is None if it does not apply.
    ``expected`` lists the valid values, if they can be listed. ``values`` are the values in the
    message; with ``code`` they let a program write its own sentence.

    >>> import kafu
    >>> try:
    ...     kafu.simulate("poker")
    ... except kafu.Error as error:
    ...     print(error.code, "-", error.expected[0])
    unknown-ruleset - hachihachi
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        line: int | None = None,
        column: int | None = None,
        deal: int | None = None,
        turn: int | None = None,
        expected: Iterable[str] = (),
        values: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        self.deal = deal
        self.turn = turn
        self.expected = tuple(expected)
        self.values = dict(values or {})

    def __str__(self) -> str:
        """Return place, message, and the expected values."""
        counted = ("line", "column", "deal", "turn")
        place_parts = [(name, getattr(self, name)) for name in counted]
        place = ", ".join(f"{name} {number}" for name, number in place_parts if number is not None)
        shown = ", ".join(value or "''" for value in self.expected[:NAMED])
        more = ", …" if len(self.expected) > NAMED else ""
        due = f" (expected: {shown}{more})" if shown else ""
        return f"{place}: {self.message}{due}" if place else f"{self.message}{due}"


class WrongType(Error, TypeError):
    """A value of a wrong type, such as bytes for text.

    >>> import kafu
    >>> kafu.read(b"[Kafu]")
    Traceback (most recent call last):
    ...
    kafu.WrongType: text is bytes (expected: str)
    """


class BadValue(Error, ValueError):
    """An invalid value of the right type: an option, a number of players, cards.

    >>> import kafu
    >>> kafu.Table("koikoi", options={"months": "0"})
    Traceback (most recent call last):
    ...
    kafu.BadValue: option months of koikoi is '0' (expected: 1…48)
    """


class UnknownRuleset(Error, ValueError):
    """An unknown id of a ruleset; ``expected`` lists the known ids.

    >>> import kafu
    >>> kafu.Table("whist")
    Traceback (most recent call last):
    ...
    kafu.UnknownRuleset: no such ruleset: 'whist' (expected: ...)
    """


class NotKafu(Error, ValueError):
    """A text that is not Kafu; ``fault.message`` returns the sentence in other languages.

    >>> import kafu
    >>> kafu.read('[Kafu "1"]\\n[Rules "poker"]')
    Traceback (most recent call last):
    ...
    kafu.NotKafu: line 2, column 1: there is no ruleset “poker” (expected: ...)
    """

    def __init__(self, message: str, *, fault: Fault | None = None, **place: Any) -> None:
        super().__init__(message, **place)
        self.fault = fault


class NotPlayable(Error, ValueError):
    """A game without steps: a score sheet, or rules that this version does not play.

    >>> import kafu
    >>> kafu.replay(kafu.Game("hachihachi", ("A", "B", "C"), tags={"Sheet": "yes"}))
    Traceback (most recent call last):
    ...
    kafu.NotPlayable: a score sheet has no steps
    """


class IllegalAction(Error, ValueError):
    """An action that the rules do not allow now.

    ``legal`` are the legal actions, empty if cards are to be dealt or the game is over;
    ``expected`` lists them as Kafu.

    >>> import kafu
    >>> hands = ["AEIMQUYc", "BFJNRVZd"]
    >>> table = kafu.Table("koikoi").lay_out(hands, "CGKOSWae", dealer=1).apply("begin")
    >>> try:
    ...     table.apply("AxG")
    ... except kafu.IllegalAction as error:
    ...     print(error)
    ...     print(*error.legal)
    deal 1, turn 1: pine with crane (A) may capture pine chaff (C), not plum
    chaff (G) (expected: C)
    AxC ExG IxK MxO QxS UxW Yxa cxe
    """

    def __init__(self, message: str, *, legal: Iterable[Action] = (), **place: Any) -> None:
        super().__init__(message, **place)
        self.legal = tuple(legal)


# Programs catch the errors by their public names.
for _kind in (Error, *Error.__subclasses__()):
    _kind.__module__ = "kafu"


def wrong_type(name: str, value: object, *expected: str) -> WrongType:
    """Return the error for an argument ``name`` whose type is not among ``expected``."""
    kind = type(value).__name__
    return WrongType(f"{name} is {kind}", code="wrong-type", expected=expected)


def make_random(random: object) -> Random:
    """Return a generator, or one from a seed; None stands for chance. Raises WrongType."""
    if not isinstance(random, Random | int | None):
        raise wrong_type("random", random, "random.Random", "int")
    return random if isinstance(random, Random) else Random(random)


def place_of(fault: Fault) -> dict[str, Any]:
    """Return the code and the place of a fault as arguments of an error."""
    names = ("line", "column", "deal", "turn", "expected")
    return {"code": fault.code.id, **{name: getattr(fault, name) for name in names}}


def not_kafu(fault: Fault) -> NotKafu:
    """Return the error for a text with a fault."""
    return NotKafu(fault.message(), fault=fault, **place_of(fault))


def check_texts(name: str, texts: object, most: int) -> None:
    """Check a sequence of at most ``most`` texts.

    Raises WrongType for another type, BadValue for more texts.
    """
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise wrong_type(name, texts, "a sequence of str")
    for text in texts:
        if not isinstance(text, str):
            raise wrong_type(name, text, "str")
    if len(texts) > most:
        raise BadValue(f"{len(texts)} {name} for {most} players", code="wrong-players")
