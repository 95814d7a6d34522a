"""A game as rows of the tables of a dump, all from one replay of the published text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafu.judging import playthrough, sheets
from kafu.judging.walk import Outcome
from kafu.notation.game import Game, Month, Turn
from kafu.notation.writer import identity
from kafu.rules.play.actions import Action, Event, Play
from kafu.rules.rulesets import Unsupported, machine_of
from records.store.rows import date_range, turns_of, yaku_rows

Row = dict[str, Any]
Rows = dict[str, list[Row]]


def rows(game: Game, about: Mapping[str, Any]) -> Rows:
    """The rows of one game by table; ``about`` are the columns that the archive knows of it:
    ``game``, ``status``, ``received``.
    """
    seats: list[list[int]] = [[] for _ in game.months]
    outcome = _outcome(game, seats)
    played = outcome.game if outcome else game
    deals = outcome.deals if outcome else []
    key = about["game"]
    return {
        "games": [{**about, **_game(played, outcome)}],
        "deals": [
            {
                "game": key,
                "deal": number,
                "month": result.month,
                "dealer": result.dealer,
                "grade": result.grade,
                "bound": result.bound,
                "ending": result.end,
                "winner": result.winner,
                "next_dealer": result.next_dealer,
                "turns": turns_of(played, number - 1),
                "scores": list(result.score),
                "hands": _hands(played, month),
                "field": month.field,
                "stock": _stock(month),
            }
            for number, (result, month) in enumerate(
                zip(deals, played.months, strict=False), start=1
            )
        ],
        "turns": [
            {"game": key, "deal": number, **turn}
            for number, (month, who) in enumerate(zip(played.months, seats, strict=True), start=1)
            for turn in _turns(month, who)
        ],
        "yaku": [
            {
                "game": key,
                "deal": number,
                "line": line,
                "seat": seat,
                "yaku": label,
                "kind": kind,
                "amount": amount,
                "parts": parts,
                "void": void,
            }
            for number, result in enumerate(deals, start=1)
            for line, paid in enumerate(result.ledger, start=1)
            for seat, label, kind, amount, parts, void in yaku_rows(paid)
        ],
    }


def _outcome(game: Game, seats: list[list[int]]) -> Outcome | None:
    """The replay of a game, None if these rules are not played; ``seats`` is filled with the seat
    of each turn of each deal.
    """
    turn_of = 0

    def watch(
        number: int, action: Action, state: Any, events: tuple[Event, ...], notes: list[str]
    ) -> None:
        nonlocal turn_of
        if isinstance(action, Play):
            seats[number - 1].append(turn_of)
        # Whose turn it is, is known before the card is played.
        turn_of = state.seat

    try:
        if game.is_sheet:
            return sheets.check(game)
        return playthrough.play(
            game, machine_of(game.rules, game.options, len(game.players)), watch
        )
    except Unsupported:
        return None


def _game(game: Game, outcome: Outcome | None) -> Row:
    first, last = date_range(game.tags.get("Date", ""))
    ended = len(outcome.deals) if outcome else 0
    final = outcome.state.final if outcome and outcome.fault is None else None
    return {
        "identity": identity(game),
        "ruleset": game.rules,
        "profile": game.options.get("profile", game.rules),
        "options": " ".join(f"{name}={value}" for name, value in sorted(game.options.items())),
        "sheet": game.is_sheet,
        "termination": game.termination,
        **{name.lower(): game.tags.get(name, "") for name in ("Event", "Site", "Round", "Source")},
        "date": game.tags.get("Date", ""),
        "date_from": first and first.isoformat(),
        "date_to": last and last.isoformat(),
        "deals_played": ended,
        "turns": sum(turns_of(game, number) for number in range(ended)),
        "players": list(game.players),
        "final": final and list(final),
    }


def _hands(game: Game, month: Month) -> list[str | None]:
    return [month.hands.get(seat) for seat in range(1, len(game.players) + 1)]


def _stock(month: Month) -> str | None:
    return f"{month.stock}{'...' * month.stock_cut}" if month.stock else None


def _turns(month: Month, who: list[int]) -> list[Row]:
    played = [turn for turn in month.turns if isinstance(turn, Turn)]
    return [
        {
            "turn": number,
            "seat": seat,
            "card": turn.play,
            "take": turn.take,
            "stock_card": turn.turn or None,
            "stock_take": turn.take2 if turn.turn else None,
            "words": [*turn.say1, *turn.say],
        }
        for number, (turn, seat) in enumerate(zip(played, who, strict=False), start=1)
    ]
