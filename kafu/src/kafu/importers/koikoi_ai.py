"""Convert KoiKoi-AI game logs (JSON) into koi-koi games with profile ``koikoi-ai``.

The log numbers cards ``[month, i]``, with the highest card of a month as i = 1. The stock is drawn
from the end of ``initPile``. Seats, captures and decisions are all stated, so nothing is guessed,
and the engine checks everything.

Logs of games against the program (``gamerecords_player``) are incomplete. Hands and pile are empty
or contain only the cards left at the end, the dealer is missing, and a drawn card can be null. The
deal is completed from the played and drawn cards, and unknown cards stay unknown. Reading stops at
the first turn without a card or round without a field; the game is then unfinished.

Validated access to the values of a foreign JSON log, by name and type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from kafu import cards
from kafu.naming.table import BY_NUMBER
from kafu.notation.actions import Action
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month, Statement
from kafu.notation.reading.source import is_one_line
from kafu.rules import codes

_MAX_TEXT: Final = 200
#: The number of characters of a value quoted in messages.
_MAX_QUOTED: Final = 40
NAME: Final = "KoiKoi-AI log"
#: The maximum of the option ``months``.
_MAX_ROUNDS: Final = 48
#: The required cards of a turn, the numbers of dealt cards, and descriptions of expected values.
_TURN_CARDS: Final = ("discardCard", "drawCard")
_DEALT: Final = {"initHand1": 8, "initHand2": 8, "initPile": 24}
_CARD: Final = "[1 … 12, 1 … 4]"
_FIELD: Final = "array of 8 cards"
#: The start of a game by the clock of the program: a date, usually with a time.
_START: Final = re.compile(
    r"([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))"
    r"(?:[ T]((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?))?"
)


class Shape:
    """An object of a log, with its path (such as ``record.round3.turn2``)."""

    def __init__(self, value: Mapping[str, Any], path: str, format: str) -> None:
        self.value = value
        self.path = path
        self.format = format

    def wrong(self, name: str, due: str) -> Malformed:
        """Return the error for a value that does not match the format."""
        where = f"{self.path}.{name}".lstrip(".")
        return Malformed(
            Fault(codes.BAD_LOG, values={"format": self.format, "where": where, "due": due})
        )

    def incomplete(self, name: str, due: str) -> dict[str, str]:
        """Return the values of a fault or warning about a missing value."""
        where = f"{self.path}.{name}".lstrip(".")
        actual = json.dumps(self.value.get(name), ensure_ascii=False)[:_MAX_QUOTED]
        return {"format": self.format, "where": where, "found": actual, "due": due}

    def is_missing(self, name: str) -> bool:
        """Return whether a value is absent or null."""
        return self.value.get(name) is None

    def object(self, name: str) -> Shape:
        """Return the object with a name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "object")
        return Shape(value, f"{self.path}.{name}".lstrip("."), self.format)

    def array(self, name: str, longest: int) -> list[Any]:
        """Return the array with a name, of at most ``longest`` values. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, list) or len(value) > longest:
            raise self.wrong(name, f"array (0 … {longest})")
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        """Return the integer with a name, between ``least`` and ``most``. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name, f"integer {least} … {most}")
        return value

    def boolean(self, name: str) -> bool:
        """Return the boolean with a name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "boolean")
        return value

    def text(self, name: str) -> str:
        """Return the text with a name: a line of at most 200 characters. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, str) or len(value) > _MAX_TEXT or not is_one_line(value):
            raise self.wrong(name, f"string of one line (0 … {_MAX_TEXT})")
        return value


def recognises(log: Mapping[str, Any]) -> bool:
    """Return whether a JSON object looks like a KoiKoi-AI log."""
    return {"info", "record"} <= log.keys() and "kafu" not in log


class _Cut(Exception):
    """The end of the readable part of a log.

    ``values`` are those of the fault; ``month`` is the readable part of the current round, if any.
    """

    def __init__(self, values: Mapping[str, str], month: Month | None = None) -> None:
        super().__init__(values["where"])
        self.values = values
        self.month = month


def convert(log: Mapping[str, Any], warn: Callable[[Fault], object]) -> Game:
    """Return the game of a possibly incomplete log; call ``warn`` for each repair.

    Raises `Malformed` with the path of an unexpected value, and for a log without any turn.
    """
    root = Shape(log, "", NAME)
    info = root.object("info")
    result = root.object("result")
    is_over = result.boolean("isOver")
    rounds = root.object("record")
    count = info.integer("numRound", 1, _MAX_ROUNDS)
    if not 1 <= len(rounds.value) <= count:
        raise root.wrong("record", f"object of 1 … {count} rounds")
    start = _START.match(info.text("startTime"))
    if start is None:
        raise info.wrong("startTime", "2020-01-31 …")
    tags = {"Date": start[1], "Source": NAME} | ({"Time": start[2]} if start[2] else {})
    months, is_whole = _read_rounds(rounds, warn)
    is_over = is_over and is_whole
    if not is_over:
        tags["Termination"] = "unfinished"
    game = Game(
        "koikoi",
        (info.text("player1Name"), info.text("player2Name")),
        options={"profile": "koikoi-ai"} | _read_options(info, count),
        tags=tags,
        months=months,
    )
    if is_over:
        game.result = (
            result.integer("player1EndPts", -9999, 9999),
            result.integer("player2EndPts", -9999, 9999),
        )
        round_lead = sum(month.score[0] - month.score[1] for month in game.months if month.score)
        final_lead = game.result[0] - game.result[1]
        _check_winner(result, "gameWinner", _leader(final_lead), _leader(round_lead))
    return game


def _read_options(info: Shape, rounds: int) -> dict[str, str]:
    """Return options for a different number of rounds or starting points."""
    start = info.integer("player1InitPts", 0, 999)
    if start != info.integer("player2InitPts", 0, 999):
        raise info.wrong("player2InitPts", f"{start} (player1InitPts)")
    options = {"months": str(rounds)} if rounds != 8 else {}
    return options | ({"start": str(start)} if start != 30 else {})


def _leader(lead: int) -> int:
    """Return the leading seat from the lead of seat 1; 0 for a tie."""
    return (lead > 0) + 2 * (lead < 0)


def _check_winner(shape: Shape, name: str, *accepted: int) -> None:
    """Reject a log whose winner contradicts all other statements.

    Kafu cannot state a winner, so the verdict cannot check it.
    """
    if not shape.is_missing(name) and shape.integer(name, 0, 2) not in accepted:
        raise shape.wrong(name, str(accepted[0]))


def _read_rounds(rounds: Shape, warn: Callable[[Fault], object]) -> tuple[list[Month], bool]:
    """Return the readable rounds, and whether all rounds were readable."""
    months: list[Month] = []
    for number in range(1, len(rounds.value) + 1):
        try:
            months.append(_read_round(number, rounds.object(f"round{number}"), warn))
        except _Cut as cut:
            if cut.month is not None:
                months.append(cut.month)
            if not months:
                raise Malformed(Fault(codes.INCOMPLETE_LOG, values=cut.values)) from cut
            warn(Fault(codes.LOG_CUT, values=cut.values))
            return months, False
    return months, True


def _read_round(number: int, round: Shape, warn: Callable[[Fault], object]) -> Month:
    """Read a round. Raises `_Cut` at the end of the readable part."""
    basic = round.object("basic")
    turns: list[Statement] = []
    cut: Mapping[str, str] | None = None
    for n in range(1, len(round.value)):
        turn = round.object(f"turn{n}")
        missing = next((name for name in _TURN_CARDS if turn.is_missing(name)), None)
        if missing is not None:
            cut = turn.incomplete(missing, _CARD)
            break
        turns.append(_read_turn(turn))
    if basic.is_missing("initBoard") or not basic.array("initBoard", 48):
        raise _Cut(basic.incomplete("initBoard", _FIELD))
    if not turns and cut is not None:
        raise _Cut(cut)
    if basic.is_missing("Dealer") and turns:
        dealer = turns[0].seat or 1
    else:
        dealer = basic.integer("Dealer", 1, 2)
    stock, is_open = _read_stock(basic, turns, is_cut=cut is not None)
    month = Month(
        number,
        dealer,
        hands={seat: _read_hand(basic, seat, turns) for seat in (1, 2)},
        field=cards.sort(_read_cards(basic, "initBoard")),
        stock=stock,
        stock_cut=is_open,
    )
    month.statements.extend(turns)
    if any(len(_optional_cards(basic, name)) != size for name, size in _DEALT.items()):
        warn(Fault(codes.DEAL_REBUILT, values={"where": basic.path}))
    if cut is not None:
        raise _Cut(cut, month)
    is_stopped = bool(turns) and turns[-1].value[-1].say == "shobu"
    winners = [turns[-1].seat or 0 if is_stopped else 0]
    if not basic.is_missing("player1RoundPts"):
        month.score = (
            basic.integer("player1RoundPts", -9999, 9999),
            basic.integer("player2RoundPts", -9999, 9999),
        )
        # A lead of a single point can be the dealer's for a round without a winner.
        winners += [_leader(month.score[0]), *([0] if abs(month.score[0]) == 1 else [])]
    _check_winner(basic, "roundWinner", *winners)
    return month


def _read_hand(basic: Shape, seat: int, turns: Sequence[Statement]) -> str:
    """Return a hand as dealt, completed by the cards played from it."""
    name = f"initHand{seat}"
    hand = _optional_cards(basic, name)
    if len(hand) < _DEALT[name]:
        played = [turn.value[0].card for turn in turns if turn.seat == seat]
        hand += "".join(card for card in played if card not in hand)
        if len(hand) > _DEALT[name]:
            raise basic.wrong(name, f"array of {_DEALT[name]} cards")
    return cards.sort(hand) + cards.UNKNOWN * (_DEALT[name] - len(hand))


def _read_stock(basic: Shape, turns: Sequence[Statement], *, is_cut: bool) -> tuple[str, bool]:
    """Return the stock from the top, and whether its lower part is unknown.

    A complete pile is returned as stated, otherwise the drawn cards and the cards left.
    """
    size = _DEALT["initPile"]
    pile = _optional_cards(basic, "initPile")[::-1]
    drawn = "".join(turn.value[1].card for turn in turns)
    if len(pile) >= size:
        return pile, False
    if is_cut or not pile:
        return drawn, len(drawn) < size
    if len(drawn) + len(pile) != size or set(drawn) & set(pile):
        raise basic.wrong("initPile", f"array of {size} cards")
    return drawn + pile, False


def _optional_cards(basic: Shape, name: str) -> str:
    """Return the cards with a name, or "" if they are missing."""
    return "" if basic.is_missing(name) else _read_cards(basic, name)


def _read_turn(turn: Shape) -> Statement:
    actions = [
        _read_action(turn, "hand", "discardCard", "collectCard"),
        _read_action(turn, "stock", "drawCard", "collectCard2"),
    ]
    if not turn.is_missing("isKoiKoi"):
        actions.append(Action("say", say="koikoi" if turn.boolean("isKoiKoi") else "shobu"))
    return Statement("turn", tuple(actions), seat=turn.integer("playerInTurn", 1, 2))


def _read_action(turn: Shape, kind: Literal["hand", "stock"], name: str, capture: str) -> Action:
    card = _read_card(turn, name)
    return Action(kind, 0, card, _read_capture(turn, capture, card))


def _read_capture(turn: Shape, name: str, played: str) -> str:
    """Return the cards captured by a card; a capture in the log starts with the card itself."""
    collected = _read_cards(turn, name)
    if not collected:
        return ""
    if collected[0] != played:
        raise turn.wrong(name, f"[{played}, …]")
    return collected[1] if len(collected) == 2 else cards.sort(collected[1:])


def _read_cards(shape: Shape, name: str) -> str:
    return "".join([_letter(shape, name, card) for card in shape.array(name, 48)])


def _read_card(shape: Shape, name: str) -> str:
    return _letter(shape, name, shape.array(name, 2))


def _letter(shape: Shape, name: str, card: Any) -> str:
    try:
        month, i = card
        if month > 0 and i > 0:
            letter: str = BY_NUMBER[month][i]
            return letter
    except (IndexError, TypeError, ValueError):
        pass  # The value is no pair of integers in range.
    raise shape.wrong(name, _CARD)
