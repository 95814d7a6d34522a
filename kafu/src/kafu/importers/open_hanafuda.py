"""Convert open-hanafuda-ai logs (text) into koi-koi games with profile ``koikoi-nintendo``.

A log describes one game line by line. Cards are numbered from 0, four to a month, lowest card
first. Lines with the program's thoughts are skipped. Moves are read in order, and the engine checks
all of them. Older versions of the program write ``seed=`` or nothing instead of ``no_sake=`` in the
first line, and lines of reasoning between the moves: these are unknown lines, which are skipped
with one warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from kafu import cards
from kafu.naming.table import BY_INDEX
from kafu.notation.actions import Action
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month, Statement
from kafu.notation.reading.source import clip
from kafu.rules import codes

NAME: Final = "open-hanafuda-ai log"
_SEATS: Final = {"P1": 1, "CPU": 2}
_PLAYERS: Final = tuple(_SEATS)
#: The maximum of the option ``months``, and the turns of two hands with eight cards.
_MAX_ROUNDS: Final = 48
_MAX_TURNS: Final = 16
_ROUNDS: Final = 12
#: The beginnings of lines without moves that the current version writes.
_SILENT: Final = (
    *("Watch Seed:", "[CARD-INDEX]", "[Round Start]", "Deck:", "[AFTER-OPP]", "KOIKOI", "===="),
    *("[P1] think select:", "[CPU] think select:"),
)
_BEGINS: Final = re.compile(r"\ufeff?\s*(?:Watch (?:Start|Seed): |\[CARD-INDEX\] )")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_WHO: Final = r"(P1|CPU)"
_ID: Final = r"(?:[0-3]?[0-9]|4[0-7])"
_SUM: Final = r"-?[0-9]{1,4}"


def recognises(text: str) -> bool:
    """Return whether a text begins like an open-hanafuda-ai log."""
    return _BEGINS.match(text) is not None


def convert(text: str, warn: Callable[[Fault], object], *, line: int) -> Game:
    """Return the game of a log. Raises `Malformed` with the line of an unexpected format.

    The first unknown line is reported to ``warn``.
    """
    log = _Log(line)
    text = text.removeprefix("\ufeff")
    for row in _LINE_END.split(text) if "\r" in text else text.split("\n"):
        log.read(row.rstrip())
        log.line += 1
    if log.unknown:
        line, row = log.unknown[0]
        values = {"format": NAME, "found": clip(row), "count": len(log.unknown)}
        warn(Fault(codes.SKIPPED_LINES, line, 1, values=values))
    return log.end()


class _Form(NamedTuple):
    """A kind of line.

    ``lead`` is the pattern of its beginning, ``pattern`` of the whole line, ``example`` its form in
    messages, ``read`` its reader (called with the groups), and ``next`` the kinds that may follow.
    """

    lead: str
    pattern: str
    example: str
    read: Callable[[_Log, tuple[str, ...]], None]
    next: tuple[str, ...]


class _Log:
    """The state of a reader: the line number, the kinds of lines due, and the game so far."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.due: tuple[str, ...] = ("start",)
        self.game = Game("koikoi", (), tags={"Source": NAME}, line=line)
        self.rounds = 0
        self.round = Month(0, 0)
        self.turn = Statement("turn", ())
        self.totals = (0, 0)
        self.winner_line = self.line
        self.base: int | None = None
        self.yaku: list[int] = []
        #: The numbers and texts of lines of no known kind.
        self.unknown: list[tuple[int, str]] = []

    def read(self, row: str) -> None:
        """Read one line. Raises Malformed if its kind is not due or its format is wrong."""
        lead = _leads().match(row)
        kind = None if lead is None else lead.lastgroup
        if kind is None:
            if row and not row.startswith(_SILENT):
                self.unknown.append((self.line, row))
            return
        form = _FORMS[kind]
        if kind not in self.due:
            self.wrong(" | ".join(_FORMS[due].example for due in self.due) or "end")
        match = _compiled(form.pattern).fullmatch(row)
        if match is None:
            self.wrong(form.example)
        if kind != "yaku":
            self._check_yaku()
        form.read(self, match.groups())
        self.due = form.next

    def end(self) -> Game:
        """Return the game after the last line. Raises Malformed for a log cut off within a turn."""
        self._check_yaku()
        if not self.game.months or self.due in (("take",), ("open",), ("take2",)):
            self.wrong(_FORMS[self.due[0]].example, self.line - 1)
        if self.game.result is None:
            self.game.tags["Termination"] = "unfinished"
        return self.game

    def wrong(self, due: str, line: int | None = None) -> NoReturn:
        """Raise the fault of a line, by default the current one; ``due`` is the expected format."""
        line = line or self.line
        values = {"format": NAME, "where": f"line {line}", "due": due}
        raise Malformed(Fault(codes.BAD_LOG, line, 1, values=values))

    # The game and its rounds ----------------------------------------------------------------------

    def read_start(self, groups: tuple[Any, ...]) -> None:
        """Read the players and rules of the game; old logs have no group of the rules."""
        *levels, rounds, no_sake = groups
        self.rounds = int(rounds)
        if not 1 <= self.rounds <= _MAX_ROUNDS:
            self.wrong(f"rounds=1 … {_MAX_ROUNDS}")
        self.game.players = tuple(
            f"{name} ({level})" for name, level in zip(_PLAYERS, levels, strict=True)
        )
        self.game.options = {"profile": "koikoi-nintendo"}
        if self.rounds != _ROUNDS:
            self.game.options["months"] = str(self.rounds)
        if no_sake == "1":
            self.game.options |= {"hanami": "0", "tsukimi": "0"}

    def read_initial(self, groups: tuple[str, ...]) -> None:
        """Begin a round. Its first move shows the dealer and adds it to the game."""
        number = len(self.game.months) + 1
        if number > self.rounds:
            self.wrong(f"Game Finished: rounds={self.rounds}")
        if int(groups[0]) != number:
            self.wrong(f"[Initial] Round {number}")
        self.round = Month(number, 0)
        self.round.written[0].place = (self.line, 1)

    def read_floor(self, groups: tuple[str, ...]) -> None:
        """Read all 48 cards: two hands, the field, and the stock in turning order."""
        letters = _letters(groups[0])
        if len(letters) != len(cards.LETTERS):
            self.wrong("Floor: 48 × 0 … 47")
        month = self.round
        month.hands = {seat: cards.sort(letters[8 * seat - 8 : 8 * seat]) for seat in (1, 2)}
        month.field, month.stock = cards.sort(letters[16:24]), letters[24:]
        for statement in month.written[1:]:
            statement.place = (self.line, 1)

    def check_hand(self, groups: tuple[str, ...]) -> None:
        """Check the repetition of a hand."""
        player, ids = groups
        hand = self.round.hands[_SEATS[player]]
        if cards.sort(_letters(ids)) != hand:
            self.wrong(f"{player} (…) own: {_ids(hand)} (Floor)")

    # A turn ---------------------------------------------------------------------------------------

    def read_play(self, groups: tuple[str, ...]) -> None:
        """Read the hand card of a turn."""
        player, card = groups
        month = self.round
        if not month.turns:
            month.dealer = _SEATS[player]
            self.game.months.append(month)
        elif len(month.turns) == _MAX_TURNS:
            self.wrong(f"{_FORMS['won'].example} | {_FORMS['draw'].example}")
        self.turn = month.write_down(Action("hand", card=_letters(card)))
        self.turn.seat, self.turn.place = _SEATS[player], (self.line, 1)

    def read_capture(self, groups: tuple[str, ...]) -> None:
        """Read the capture of the last card."""
        *actions, last = self.turn.value
        self.turn.value = (*actions, last._replace(take=self._captured(groups, last.card)))

    def read_draw(self, groups: tuple[str, ...]) -> None:
        """Read the turned stock card."""
        self._check_player(groups[0])
        self.round.write_down(Action("stock", card=_letters(groups[1])))
        self.turn.card_places = ((self.line, 1),)

    def _captured(self, groups: tuple[str, ...], card: str) -> str:
        """Return the cards captured by a card, without the card itself."""
        player, ids = groups
        self._check_player(player)
        if ids == "n/a":
            return ""
        letters = _letters(ids)
        if letters[0] != card:
            self.wrong(f"{_ids(card)},…")
        return letters[1] if len(letters) == 2 else cards.sort(letters[1:])

    def _check_player(self, player: str) -> None:
        due = _PLAYERS[(self.turn.seat or 1) - 1]
        if player != due:
            self.wrong(f"[{due}] …")

    # The end of a round and of the game -----------------------------------------------------------

    def read_koikoi(self, groups: tuple[str, ...]) -> None:
        """Read the decision to play on."""
        number, player = groups
        self._check_round(number)
        self._check_player(player)
        self.round.write_down(Action("say", say="koikoi"))

    def read_win(self, groups: tuple[str, ...]) -> None:
        """Read the decision to stop, with the score.

        The log states the score three times. Kafu has a claim for the number after ``=>``, so a
        contradiction is an error only if neither of the two other numbers agrees with it.
        """
        number, player, *numbers = groups
        base, times, score, first, second = map(int, numbers)
        self._check_round(number)
        self._check_player(player)
        seat = _SEATS[player]
        totals = (first, second)
        gained = totals[seat - 1] - self.totals[seat - 1]
        if base * times not in (score, gained):
            self.wrong(f"base={base} x{times} => +{base * times}")
        if gained not in (score, base * times) or totals[2 - seat] != self.totals[2 - seat]:
            due = list(self.totals)
            due[seat - 1] += score
            self.wrong(f"Total P1={due[0]} CPU={due[1]}")
        self.round.write_down(Action("say", say="shobu"))
        self._score((score, 0) if seat == 1 else (0, score))
        self.totals, self.base, self.yaku, self.winner_line = totals, base, [], self.line

    def read_yaku(self, groups: tuple[str, ...]) -> None:
        """Read the points of a yaku of the winner."""
        self.yaku.append(int(groups[0]))

    def _check_yaku(self) -> None:
        """Check that the listed yaku add up to the base."""
        if self.yaku and sum(self.yaku) != self.base:
            self.wrong(f"base={sum(self.yaku)}", self.winner_line)
        self.yaku = []

    def read_no_win(self, groups: tuple[str, ...]) -> None:
        """Read the end of a round without a winner."""
        self._check_round(groups[0])
        self._score((0, 0))

    def _score(self, score: tuple[int, int]) -> None:
        self.round.put("score", [score], (self.line, 1))

    def _check_round(self, number: str) -> None:
        if int(number) != self.round.month:
            self.wrong(f"[Round {self.round.month}] …")

    def read_end(self, groups: tuple[str, ...]) -> None:
        """Check the number of rounds at the end of the game."""
        if int(groups[0]) != self.rounds:
            self.wrong(f"Game Finished: rounds={self.rounds}")

    def read_result(self, groups: tuple[str, ...]) -> None:
        """Read the final totals."""
        first, second = map(int, groups)
        self.game.result = (first, second)

    def check_winner(self, groups: tuple[str, ...]) -> None:
        """Compare the winner, which Kafu cannot state, with the totals of the log."""
        leads = {first - second for first, second in (self.game.result or (0, 0), self.totals)}
        leaders = {"P1" if lead > 0 else "CPU" if lead else "Draw" for lead in leads}
        if groups[0] not in leaders:
            self.wrong(f"Winner: {min(leaders)}")


def _letters(ids: str) -> str:
    """Convert card numbers of a log (``36,23``) to letters."""
    return "".join([BY_INDEX[int(card)] for card in ids.split(",")])


def _ids(letters: str) -> str:
    return ",".join(str(cards.INDEX[letter] ^ 3) for letter in letters)


def _form(
    lead: str, tail: str, example: str, read: Callable[[_Log, tuple[str, ...]], None], next_: str
) -> _Form:
    return _Form(lead, lead + tail, example, read, tuple(next_.split()))


_FORMS: Final = {
    "start": _form(
        "Watch Start:",
        " P1=([!-~]{1,40}) CPU=([!-~]{1,40}) rounds=([0-9]{1,2})(?: seed=[0-9]{1,20})?"
        r"(?: no_sake=([01]))?",
        "Watch Start: P1=… CPU=… rounds=12 no_sake=0",
        _Log.read_start,
        "initial",
    ),
    "initial": _form(
        r"\[Initial\]", " Round ([0-9]{1,2})", "[Initial] Round …", _Log.read_initial, "floor"
    ),
    "floor": _form("Floor:", f" ({_ID}(?:,{_ID})*)", "Floor: …", _Log.read_floor, "drop own"),
    "own": _form(
        rf"{_WHO} \(",
        rf"[A-Z]+-SIDE\) own: ({_ID}(?:,{_ID})*)(?: \(.*\))?",
        "P1 (…) own: …",
        _Log.check_hand,
        "drop own",
    ),
    "drop": _form(
        rf"\[{_WHO}\] think drop:",
        rf" ({_ID})(?: .*)?",
        "think drop: …",
        _Log.read_play,
        "take",
    ),
    "take": _form(
        rf"\[{_WHO}\] drop take:",
        rf" (n/a|{_ID}(?:,{_ID}){{1,3}})(?: \(.*\))?",
        "drop take: …,… | n/a",
        _Log.read_capture,
        "open",
    ),
    "open": _form(
        rf"\[{_WHO}\] floor open:",
        rf" ({_ID})(?: \(.*\))?",
        "floor open: …",
        _Log.read_draw,
        "take2",
    ),
    "take2": _form(
        rf"\[{_WHO}\] floor take:",
        rf" (n/a|{_ID}(?:,{_ID}){{1,3}})(?: \(.*\))?",
        "floor take: …,… | n/a",
        _Log.read_capture,
        "drop koikoi won draw",
    ),
    "koikoi": _form(
        r"\[Round ([0-9]{1,3})\] (?=[A-Z0-9]+ chooses)",
        rf"{_WHO} chooses KOIKOI(?: \(.*\))?",
        "[Round …] … chooses KOIKOI",
        _Log.read_koikoi,
        "drop draw",
    ),
    "draw": _form(
        r"\[Round ([0-9]{1,3})\] (?=D)",
        r"Draw",
        "[Round …] Draw",
        _Log.read_no_win,
        "initial finished",
    ),
    "won": _form(
        r"\[Round (?=[0-9])",
        rf"([0-9]{{1,3}})\] Winner={_WHO} base=({_SUM}) x([0-9]{{1,2}}) => \+({_SUM})"
        rf" \(reason=[^,]*, Total P1=({_SUM}) CPU=({_SUM})\)",
        "[Round …] Winner=… base=… x1 => +… (reason=…, Total P1=… CPU=…)",
        _Log.read_win,
        "yaku initial finished",
    ),
    "yaku": _form("  - ", rf".*: ({_SUM})", "- …: …", _Log.read_yaku, "yaku initial finished"),
    "finished": _form(
        "Game Finished:", " rounds=([0-9]{1,2})", "Game Finished: rounds=…", _Log.read_end, "final"
    ),
    "final": _form(
        "Final Score:",
        rf" P1=({_SUM}) CPU=({_SUM})",
        "Final Score: P1=… CPU=…",
        _Log.read_result,
        "best",
    ),
    "best": _form(
        "Winner:", r" (P1|CPU|Draw) <.*>", "Winner: P1 | CPU | Draw <…>", _Log.check_winner, ""
    ),
}


# Patterns are compiled for the first log, because this takes longer than importing the library.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@cache
def _leads() -> re.Pattern[str]:
    """Return the pattern of all beginnings, with a named group for each kind of line."""
    return re.compile("|".join(f"(?P<{kind}>{form.lead})" for kind, form in _FORMS.items()))
