"""Actions of a game in card letters, the vocabulary of records and of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from kafu import cards

#: The values of `Action.kind`.
ActionKind = Literal[
    "hand",
    "stock",
    "say",
    "show",
    "bid",
    "blind",
    "swap",
    "call",
    "redeal",
    "void",
    "begin",
    "deal",
    "pile",
    "pass",
]
#: Kinds of actions with an explicit seat, which may be out of turn.
SEATED: Final = frozenset(("bid", "blind", "call", "show", "swap"))
#: Kinds of actions that are parts of a turn.
OF_TURN: Final = ("hand", "stock", "say")
#: The form of every written action, with a card and its capture, a seat, a word and shown cards.
_FORMS: Final[dict[ActionKind, str]] = {
    "hand": "{card}",
    "stock": "/{card}",
    "say": "={word}",
    "call": "={word} {seat}",
    "bid": "bid {seat}{word}",
    "show": "show {seat} {word} {shown}",
    "blind": "blind {seat}",
    "swap": "swap {seat}",
    "redeal": "redeal {word}",
    "void": "void {word}",
    "begin": "begin",
}
#: The patterns of words that are not plain.
_WORDS: Final = {"bid": "in|out", "show": "[a-z][a-z+-]*"} | dict.fromkeys(
    ("redeal", "void"), "[a-z][a-z0-9-]*"
)
_WRITTEN: Final[dict[ActionKind, re.Pattern[str]]] = {
    kind: re.compile(
        form.format(
            card="(?P<card>[A-Za-v])(?:x(?P<take>[A-Za-v]{1,3}))?",
            seat="(?P<seat>[1-7])",
            word=f"(?P<say>{_WORDS.get(kind, '[a-z][a-z-]*')})",
            shown="(?P<take>[A-Za-v]+|-)",
        )
    )
    for kind, form in _FORMS.items()
}


class Action(NamedTuple):
    """An action at a table; ``str()`` returns its Kafu.

    ``kind`` is ``hand`` or ``stock`` (a card and its capture), ``say`` (a decision), ``show`` (a
    declared dealt hand), ``bid``, ``blind``, ``swap``, ``call``, ``redeal``, ``void``, ``begin``
    (nobody declares, play begins); a replay also has ``deal`` and ``pile``, which are chance, and a
    seat out of turn may ``pass``, which no record has.
    ``seat`` is the acting seat, 0 for nobody. ``card`` and ``take`` are letters (``take`` of a show
    are the cards laid open); ``say`` is the word, the yaku or the reason.

    >>> import kafu
    >>> str(kafu.Action("hand", card="A", take="D")), str(kafu.Action("stock", card="B"))
    ('AxD', '/B')
    """

    kind: ActionKind
    seat: int = 0
    card: str = ""
    take: str = ""
    say: str = ""

    def __str__(self) -> str:
        kind, seat, card, take, say = self
        if len(take) > 1:
            take = cards.sort(take)
        captured = f"{card}x{take}" if take else card
        form = _FORMS.get(kind, "{word}" if kind == "deal" else kind)
        return form.format(card=captured, seat=seat, word=say, shown=take or "-")


#: A maker of actions that returns the same object for equal cards and words, which recur.
make_action: Final = lru_cache(maxsize=1 << 12)(Action)


#: The text of an action.
_write: Final = lru_cache(maxsize=1 << 12)(str)


def turn_text(turn: Iterable[Action]) -> str:
    """Return a turn in canonical form, without round number and seat: ``BxA/GxH=koikoi``."""
    return "".join(map(_write, turn))


@lru_cache(maxsize=1 << 12)
def read_half(kind: ActionKind, text: str) -> tuple[Action, ...]:
    """Return the actions of a canonical half of a turn: a card, and decisions."""
    captured, *words = text.split("=")
    card, _, take = captured.partition("x")
    return (Action(kind, 0, card, take), *[Action("say", say=word) for word in words])


def parse(text: str, seat: int) -> Action | None:
    """Return the action that ``seat`` writes as Kafu, None if the text is invalid.

    >>> parse("AxD", 1), parse("nonsense", 1)
    (Action(kind='hand', seat=1, card='A', take='D', say=''), None)
    """
    for kind, form in _WRITTEN.items():
        if match := form.fullmatch(text):
            part = {name: value or "" for name, value in match.groupdict().items()}
            acting = seat if kind in OF_TURN else int(part.get("seat", "0"))
            take = part.get("take", "").removeprefix("-")
            return Action(kind, acting, part.get("card", ""), take, part.get("say", ""))
    return None
