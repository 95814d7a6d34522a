"""KoiKoi-AI game logs (JSON) as koi-koi games with profile ``koikoi-ai``.

The log numbers cards ``[month, i]``, i = 1 the highest; its stock is drawn from the end of
``initPile``. It names who moved, what was captured and declared, so nothing is guessed: the engine
checks it all.

The logs of games against the program (``gamerecords_player``) nearly fit: of the hands and the pile
they hold what was left in the end, or nothing, and no dealer; a drawn card may be null. What was
played and drawn is added to the deal; what nobody can know stays unknown. A game is read up to the
first turn without a card, or round without a field, and is unfinished then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kafu import cards
from kafu.importers.shape import Shape
from kafu.naming.table import BY_NUMBER
from kafu.notation import game as kafu
from kafu.notation.faults import Fault, Malformed
from kafu.rules import codes

NAME: Final = "KoiKoi-AI log"
#: A decision of the log in Kafu: null is no new points.
_DECISIONS: Final = {True: ("koikoi",), False: ("shobu",), None: ()}

#: The maximum of Kafu's option.
_MAX_ROUNDS: Final = 48
#: What a turn cannot do without, and what a deal has; what is expected where it is not there.
_TURN_CARDS: Final = ("discardCard", "drawCard")
_DEALT: Final = {"initHand1": 8, "initHand2": 8, "initPile": 24}
_CARD: Final = "[1 … 12, 1 … 4]"
_FIELD: Final = "array of 8 cards"
#: When a game began: a day, and mostly the time of it, as the clock of the log had it.
_START: Final = re.compile(
    r"([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))"
    r"(?:[ T]((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?))?"
)


def recognises(log: Mapping[str, Any]) -> bool:
    """Whether a JSON object looks like one of these logs."""
    return {"info", "record"} <= log.keys() and "kafu" not in log


class _Cut(Exception):
    """The log cannot be read on from here; ``values`` are those of the fault, ``month`` is what was
    read of its round, if any.
    """

    def __init__(self, values: Mapping[str, str], month: kafu.Month | None = None) -> None:
        super().__init__(values["where"])
        self.values = values
        self.month = month


def convert(log: Mapping[str, Any], warn: Callable[[Fault], object]) -> kafu.Game:
    """The game of a log, as far as it goes. Raises `Malformed` with the place in the log where the
    format is unknown, or where it breaks off if nothing was played before.
    """
    root = Shape(log, "", NAME)
    info = root.object("info")
    result = root.object("result")
    over = result.boolean("isOver")
    rounds = root.object("record")
    count = info.integer("numRound", 1, _MAX_ROUNDS)
    if not 1 <= len(rounds.value) <= count:
        raise root.wrong("record", f"object of 1 … {count} rounds")
    start = _START.match(info.text("startTime"))
    if start is None:
        raise info.wrong("startTime", "2020-01-31 …")
    tags = {"Date": start[1], "Source": NAME} | ({"Time": start[2]} if start[2] else {})
    months, is_whole = _rounds(rounds, warn)
    over = over and is_whole
    if not over:
        tags["Termination"] = "unfinished"
    game = kafu.Game(
        "koikoi",
        (info.text("player1Name"), info.text("player2Name")),
        options={"profile": "koikoi-ai"} | _house(info, count),
        tags=tags,
        months=months,
    )
    if over:
        game.result = (
            result.integer("player1EndPts", -9999, 9999),
            result.integer("player2EndPts", -9999, 9999),
        )
        rounds_led = sum(month.score[0] - month.score[1] for month in game.months if month.score)
        end_led = game.result[0] - game.result[1]
        _check_winner(result, "gameWinner", _ahead(end_led), _ahead(rounds_led))
    return game


def _house(info: Shape, rounds: int) -> dict[str, str]:
    """Overrides of the profile if a log was played for other rounds or starting points."""
    start = info.integer("player1InitPts", 0, 999)
    if start != info.integer("player2InitPts", 0, 999):
        raise info.wrong("player2InitPts", f"{start} (player1InitPts)")
    options = {"months": str(rounds)} if rounds != 8 else {}
    return options | ({"start": str(start)} if start != 30 else {})


def _ahead(lead: int) -> int:
    """The seat that leads by the first player's lead, 0 for none."""
    return (lead > 0) + 2 * (lead < 0)


def _check_winner(shape: Shape, name: str, *accepted: int) -> None:
    """Kafu cannot state who won, so it is compared here with the rest of the log. A log whose
    winner fits nothing else is rejected; other contradictions are found by the verdict.
    """
    if not shape.missing(name) and shape.integer(name, 0, 2) not in accepted:
        raise shape.wrong(name, str(accepted[0]))


def _rounds(rounds: Shape, warn: Callable[[Fault], object]) -> tuple[list[kafu.Month], bool]:
    """The rounds up to where the log breaks off, and whether these are all."""
    months: list[kafu.Month] = []
    for number in range(1, len(rounds.value) + 1):
        try:
            months.append(_round(number, rounds.object(f"round{number}"), warn))
        except _Cut as cut:
            if cut.month is not None:
                months.append(cut.month)
            if not months:
                raise Malformed(Fault(codes.INCOMPLETE_LOG, values=cut.values)) from cut
            warn(Fault(codes.LOG_CUT, values=cut.values))
            return months, False
    return months, True


def _round(number: int, round: Shape, warn: Callable[[Fault], object]) -> kafu.Month:
    """Raises `_Cut` where the log breaks off."""
    basic = round.object("basic")
    turns: list[kafu.Turn] = []
    cut: Mapping[str, str] | None = None
    for n in range(1, len(round.value)):
        turn = round.object(f"turn{n}")
        lacking = next((name for name in _TURN_CARDS if turn.missing(name)), None)
        if lacking is not None:
            cut = turn.incomplete(lacking, _CARD)
            break
        turns.append(_turn(turn))
    if basic.missing("initBoard") or not basic.array("initBoard", 48):
        raise _Cut(basic.incomplete("initBoard", _FIELD))
    if not turns and cut is not None:
        raise _Cut(cut)
    if basic.missing("Dealer") and turns:
        dealer = turns[0].seat or 1
    else:
        dealer = basic.integer("Dealer", 1, 2)
    stock, is_open = _stock(basic, turns, is_cut=cut is not None)
    month = kafu.Month(
        number,
        dealer,
        hands={seat: _hand(basic, seat, turns) for seat in (1, 2)},
        field=cards.sort(_cards(basic, "initBoard")),
        stock=stock,
        stock_cut=is_open,
        turns=list(turns),
    )
    if any(len(_listed(basic, name)) != whole for name, whole in _DEALT.items()):
        warn(Fault(codes.DEAL_REBUILT, values={"where": basic.path}))
    if cut is not None:
        raise _Cut(cut, month)
    stopped = bool(turns) and turns[-1].say == ("shobu",)
    accepted = [turns[-1].seat or 0 if stopped else 0]
    if not basic.missing("player1RoundPts"):
        month.score = (
            basic.integer("player1RoundPts", -9999, 9999),
            basic.integer("player2RoundPts", -9999, 9999),
        )
        # One point may also be the dealer's for a round that nobody won.
        accepted += [_ahead(month.score[0]), *([0] if abs(month.score[0]) == 1 else [])]
    _check_winner(basic, "roundWinner", *accepted)
    return month


def _hand(basic: Shape, seat: int, turns: Sequence[kafu.Turn]) -> str:
    """A hand as dealt: what the log has of it, or that and what was played from it."""
    name = f"initHand{seat}"
    known = _listed(basic, name)
    if len(known) < _DEALT[name]:
        known += "".join(
            turn.play for turn in turns if turn.seat == seat and turn.play not in known
        )
        if len(known) > _DEALT[name]:
            raise basic.wrong(name, f"array of {_DEALT[name]} cards")
    return cards.sort(known) + cards.UNKNOWN * (_DEALT[name] - len(known))


def _stock(basic: Shape, turns: Sequence[kafu.Turn], *, is_cut: bool) -> tuple[str, bool]:
    """The stock from the top, and whether its rest is unknown: what the log has, or what was drawn
    and then what was left.
    """
    whole = _DEALT["initPile"]
    listed = _listed(basic, "initPile")[::-1]
    drawn = "".join(turn.turn for turn in turns)
    if len(listed) >= whole:
        return listed, False
    if is_cut or not listed:
        return drawn, len(drawn) < whole
    if len(drawn) + len(listed) != whole or set(drawn) & set(listed):
        raise basic.wrong("initPile", f"array of {whole} cards")
    return drawn + listed, False


def _listed(basic: Shape, name: str) -> str:
    """The cards of that name; "" where there are none."""
    return "" if basic.missing(name) else _cards(basic, name)


def _turn(turn: Shape) -> kafu.Turn:
    play, drawn = _card(turn, "discardCard"), _card(turn, "drawCard")
    return kafu.Turn(
        play,
        _taken(turn, "collectCard", play),
        drawn,
        _taken(turn, "collectCard2", drawn),
        say=_DECISIONS[None if turn.missing("isKoiKoi") else turn.boolean("isKoiKoi")],
        seat=turn.integer("playerInTurn", 1, 2),
    )


def _taken(turn: Shape, name: str, played: str) -> str:
    """What a card captured: the list begins with that card itself, and is empty for no capture."""
    collected = _cards(turn, name)
    if not collected:
        return ""
    if collected[0] != played:
        raise turn.wrong(name, f"[{played}, …]")
    return collected[1] if len(collected) == 2 else cards.sort(collected[1:])


def _cards(shape: Shape, name: str) -> str:
    found = shape.array(name, 48)
    return "".join([_letter(shape, name, card) for card in found]) if found else ""


def _card(shape: Shape, name: str) -> str:
    return _letter(shape, name, shape.array(name, 2))


def _letter(shape: Shape, name: str, card: Any) -> str:
    try:
        month, i = card
        if month > 0 and i > 0:
            letter: str = BY_NUMBER[month][i]
            return letter
    except (IndexError, TypeError, ValueError):
        pass  # no pair, no whole numbers, or too large ones
    raise shape.wrong(name, _CARD)
