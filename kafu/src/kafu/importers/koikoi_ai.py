"""KoiKoi-AI game logs (JSON) as koi-koi games with profile ``koikoi-ai``.

The log numbers cards ``[month, i]``, i = 1 the highest; its stock is drawn from the end of
``initPile``. It names who moved, what was captured and declared, so nothing is guessed: the engine
checks it all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kafu import cards
from kafu.importers.shape import Shape
from kafu.naming.table import BY_NUMBER
from kafu.notation import game as kafu

NAME: Final = "KoiKoi-AI log"
#: A decision of the log in Kafu: null is no new points.
_DECISIONS: Final = {True: ("koikoi",), False: ("shobu",), None: ()}

#: The maximum of Kafu's option.
_MAX_ROUNDS: Final = 48
_DATE: Final = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


def recognises(log: Mapping[str, Any]) -> bool:
    """Whether a JSON object looks like one of these logs."""
    return {"info", "record"} <= log.keys() and "kafu" not in log


def convert(log: Mapping[str, Any]) -> kafu.Game:
    """The game of a log. Raises `Malformed` with the place in the log where the format is
    unknown.
    """
    root = Shape(log, "", NAME)
    info = root.object("info")
    result = root.object("result")
    over = result.boolean("isOver")
    rounds = root.object("record")
    count = info.integer("numRound", 1, _MAX_ROUNDS)
    if not 1 <= len(rounds.value) <= count:
        raise root.wrong("record", f"object of 1 … {count} rounds")
    date = info.text("startTime")[:10]
    if not _DATE.fullmatch(date):
        raise info.wrong("startTime", "2020-01-31 …")
    tags = {"Date": date, "Source": NAME}
    if not over:
        tags["Termination"] = "unfinished"
    game = kafu.Game(
        "koikoi",
        (info.text("player1Name"), info.text("player2Name")),
        options={"profile": "koikoi-ai"} | _house(info, count),
        tags=tags,
        months=[
            _round(number, rounds.object(f"round{number}"))
            for number in range(1, len(rounds.value) + 1)
        ],
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


def _round(number: int, round: Shape) -> kafu.Month:
    basic = round.object("basic")
    turns = [_turn(round.object(f"turn{n}")) for n in range(1, len(round.value))]
    stopped = bool(turns) and turns[-1].say == ("shobu",)
    month = kafu.Month(
        number,
        basic.integer("Dealer", 1, 2),
        hands={seat: cards.sort(_cards(basic, f"initHand{seat}")) for seat in (1, 2)},
        field=cards.sort(_cards(basic, "initBoard")),
        stock=_cards(basic, "initPile")[::-1],
        turns=list(turns),
    )
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
    raise shape.wrong(name, "[1 … 12, 1 … 4]")
