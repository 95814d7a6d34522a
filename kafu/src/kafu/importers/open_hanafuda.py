"""open-hanafuda-ai logs (text) as koi-koi games with profile ``koikoi-nintendo``.

A log describes one game line by line. Cards are numbered four to a month, 0 the lowest. The
program's thoughts between the moves are skipped; its moves are read in their order, and the engine
checks them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, NoReturn

from kafu import cards
from kafu.naming.table import BY_INDEX
from kafu.notation import game as kafu
from kafu.notation.faults import Fault, Malformed
from kafu.rules import codes

NAME: Final = "open-hanafuda-ai log"
_SEATS: Final = {"P1": 1, "CPU": 2}
_PLAYERS: Final = tuple(_SEATS)
#: The maximum of Kafu's option, and the turns that eight cards in two hands make.
_MAX_ROUNDS: Final = 48
_MAX_TURNS: Final = 16
_ROUNDS: Final = 12
_BEGINS: Final = re.compile(r"\ufeff?\s*(?:Watch (?:Start|Seed): |\[CARD-INDEX\] )")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_WHO: Final = r"(P1|CPU)"
_ID: Final = r"(?:[0-3]?[0-9]|4[0-7])"
_SUM: Final = r"-?[0-9]{1,4}"


def recognises(text: str) -> bool:
    """Whether a text begins as these logs do."""
    return _BEGINS.match(text) is not None


def convert(text: str, *, line: int) -> kafu.Game:
    """The game of a log. Raises `Malformed` with the line where the format is unknown."""
    log = _Log(line)
    text = text.removeprefix("\ufeff")
    for row in _LINE_END.split(text) if "\r" in text else text.split("\n"):
        log.read(row.rstrip())
        log.line += 1
    return log.end()


class _Form(NamedTuple):
    """One kind of line: its beginning, its pattern, its form for people, its reader, and the kinds
    that may follow.
    """

    lead: str
    whole: str
    look: str
    read: Callable[[_Log, tuple[str, ...]], None]
    then: tuple[str, ...]


class _Log:
    """The state of reading a log: the position, what may follow, and the game so far."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.due: tuple[str, ...] = ("start",)
        self.game = kafu.Game("koikoi", (), tags={"Source": NAME}, line=line)
        self.rounds = 0
        self.round = kafu.Month(0, 0)
        self.turn = kafu.Turn("")
        self.totals = (0, 0)
        self.winner = self.line
        self.base: int | None = None
        self.yaku: list[int] = []

    def read(self, row: str) -> None:
        """Read one line. Raises Malformed if it is not expected here, or has a wrong format."""
        begins = _leads().match(row)
        kind = None if begins is None else begins.lastgroup
        if kind is None:
            return
        form = _FORMS[kind]
        if kind not in self.due:
            self.wrong(" | ".join(_FORMS[one].look for one in self.due) or "end")
        found = _compiled(form.whole).fullmatch(row)
        if found is None:
            self.wrong(form.look)
        if kind != "yaku":
            self._check_yaku()
        form.read(self, found.groups())
        self.due = form.then

    def end(self) -> kafu.Game:
        """The game, once all lines are read. Raises Malformed for a log cut off within a turn."""
        self._check_yaku()
        if not self.game.months or self.due in (("take",), ("open",), ("take2",)):
            self.wrong(_FORMS[self.due[0]].look, self.line - 1)
        if self.game.result is None:
            self.game.tags["Termination"] = "unfinished"
        return self.game

    def wrong(self, due: str, line: int | None = None) -> NoReturn:
        """Raise the fault of a line (the current one); ``due`` is the format that was expected."""
        line = line or self.line
        values = {"format": NAME, "where": f"line {line}", "due": due}
        raise Malformed(Fault(codes.BAD_LOG, line, 1, values=values))

    # The game and its rounds ----------------------------------------------------------------------

    def start(self, found: tuple[str, ...]) -> None:
        """Who plays, by which rules."""
        *levels, rounds, no_sake = found
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

    def initial(self, found: tuple[str, ...]) -> None:
        """A round begins. It counts from its first move on, which shows who deals."""
        number = len(self.game.months) + 1
        if number > self.rounds:
            self.wrong(f"Game Finished: rounds={self.rounds}")
        if int(found[0]) != number:
            self.wrong(f"[Initial] Round {number}")
        self.round = kafu.Month(number, 0, places={"month": (self.line, 1)})

    def floor(self, found: tuple[str, ...]) -> None:
        """All 48 cards: two hands, the field, the stock in the order drawn."""
        letters = _letters(found[0])
        if len(letters) != len(cards.LETTERS):
            self.wrong("Floor: 48 × 0 … 47")
        month = self.round
        month.hands = {seat: cards.sort(letters[8 * seat - 8 : 8 * seat]) for seat in (1, 2)}
        month.field, month.stock = cards.sort(letters[16:24]), letters[24:]
        month.places |= dict.fromkeys(("hand.1", "hand.2", "field", "stock"), (self.line, 1))

    def own(self, found: tuple[str, ...]) -> None:
        """A hand, repeated in the log."""
        who, ids = found
        hand = self.round.hands[_SEATS[who]]
        if cards.sort(_letters(ids)) != hand:
            self.wrong(f"{who} (…) own: {_ids(hand)} (Floor)")

    # A turn ---------------------------------------------------------------------------------------

    def drop(self, found: tuple[str, ...]) -> None:
        """A hand card is chosen."""
        who, card = found
        month = self.round
        if not month.turns:
            month.dealer = _SEATS[who]
            self.game.months.append(month)
        elif len(month.turns) == _MAX_TURNS:
            self.wrong(f"{_FORMS['won'].look} | {_FORMS['draw'].look}")
        self.turn = kafu.Turn(_letters(card), seat=_SEATS[who], place=(self.line, 1))
        month.turns.append(self.turn)

    def take(self, found: tuple[str, ...]) -> None:
        """What it captured."""
        self.turn.take = self._taken(found, self.turn.play)

    def open(self, found: tuple[str, ...]) -> None:
        """A card of the stock is turned."""
        self._same(found[0])
        self.turn.turn, self.turn.place2 = _letters(found[1]), (self.line, 1)

    def take2(self, found: tuple[str, ...]) -> None:
        """What that captured."""
        self.turn.take2 = self._taken(found, self.turn.turn)

    def _taken(self, found: tuple[str, ...], card: str) -> str:
        who, ids = found
        self._same(who)
        if ids == "n/a":
            return ""
        letters = _letters(ids)
        if letters[0] != card:
            self.wrong(f"{_ids(card)},…")
        return letters[1] if len(letters) == 2 else cards.sort(letters[1:])

    def _same(self, who: str) -> None:
        """Check that the line is of the player whose turn it is."""
        due = _PLAYERS[(self.turn.seat or 1) - 1]
        if who != due:
            self.wrong(f"[{due}] …")

    # How a round and the game end -----------------------------------------------------------------

    def koikoi(self, found: tuple[str, ...]) -> None:
        """The player in turn plays on."""
        number, who = found
        self._same_round(number)
        self._same(who)
        self.turn.say = ("koikoi",)

    def won(self, found: tuple[str, ...]) -> None:
        """The player in turn stops. Three numbers give their points; Kafu has a claim for the one
        after ``=>``, so another one is an error only if neither of the others agrees with it.
        """
        number, who, *numbers = found
        base, times, score, first, second = map(int, numbers)
        self._same_round(number)
        self._same(who)
        seat = _SEATS[who]
        totals = (first, second)
        gained = totals[seat - 1] - self.totals[seat - 1]
        if base * times not in (score, gained):
            self.wrong(f"base={base} x{times} => +{base * times}")
        if gained not in (score, base * times) or totals[2 - seat] != self.totals[2 - seat]:
            due = list(self.totals)
            due[seat - 1] += score
            self.wrong(f"Total P1={due[0]} CPU={due[1]}")
        self.turn.say = ("shobu",)
        self._score((score, 0) if seat == 1 else (0, score))
        self.totals, self.base, self.yaku, self.winner = totals, base, [], self.line

    def named(self, found: tuple[str, ...]) -> None:
        """A yaku of the winner."""
        self.yaku.append(int(found[0]))

    def _check_yaku(self) -> None:
        """The yaku that are listed add up to the base."""
        if self.yaku and sum(self.yaku) != self.base:
            self.wrong(f"base={sum(self.yaku)}", self.winner)
        self.yaku = []

    def draw(self, found: tuple[str, ...]) -> None:
        """Nobody scored."""
        self._same_round(found[0])
        self._score((0, 0))

    def _score(self, score: tuple[int, int]) -> None:
        self.round.score = score
        self.round.places["score"] = (self.line, 1)

    def _same_round(self, number: str) -> None:
        if int(number) != self.round.month:
            self.wrong(f"[Round {self.round.month}] …")

    def finished(self, found: tuple[str, ...]) -> None:
        """The game is over."""
        if int(found[0]) != self.rounds:
            self.wrong(f"Game Finished: rounds={self.rounds}")

    def final(self, found: tuple[str, ...]) -> None:
        """The end totals."""
        first, second = map(int, found)
        self.game.result = (first, second)

    def best(self, found: tuple[str, ...]) -> None:
        """The winner: Kafu has no word for it, so it is compared with the rest of the log."""
        leads = {one - two for one, two in (self.game.result or (0, 0), self.totals)}
        ahead = {"P1" if lead > 0 else "CPU" for lead in leads if lead}
        if ahead and found[0] not in ahead:
            self.wrong(f"Winner: {min(ahead)}")


def _letters(ids: str) -> str:
    """Ids of a log (``36,23``) as letters: in a month the log counts upwards, Kafu downwards."""
    return "".join([BY_INDEX[int(card)] for card in ids.split(",")])


def _ids(letters: str) -> str:
    return ",".join(str(cards.INDEX[letter] ^ 3) for letter in letters)


def _form(
    lead: str, rest: str, look: str, read: Callable[[_Log, tuple[str, ...]], None], then: str
) -> _Form:
    return _Form(lead, lead + rest, look, read, tuple(then.split()))


_FORMS: Final = {
    "start": _form(
        "Watch Start:",
        " P1=([!-~]{1,40}) CPU=([!-~]{1,40}) rounds=([0-9]{1,2}) no_sake=([01])",
        "Watch Start: P1=… CPU=… rounds=12 no_sake=0",
        _Log.start,
        "initial",
    ),
    "initial": _form(
        r"\[Initial\]", " Round ([0-9]{1,2})", "[Initial] Round …", _Log.initial, "floor"
    ),
    "floor": _form("Floor:", f" ({_ID}(?:,{_ID})*)", "Floor: …", _Log.floor, "drop own"),
    "own": _form(
        rf"{_WHO} \(",
        rf"[A-Z]+-SIDE\) own: ({_ID}(?:,{_ID})*)(?: \(.*\))?",
        "P1 (…) own: …",
        _Log.own,
        "drop own",
    ),
    "drop": _form(
        rf"\[{_WHO}\] think drop:", rf" ({_ID})(?: \(.*\))?", "think drop: …", _Log.drop, "take"
    ),
    "take": _form(
        rf"\[{_WHO}\] drop take:",
        rf" (n/a|{_ID}(?:,{_ID}){{1,3}})(?: \(.*\))?",
        "drop take: …,… | n/a",
        _Log.take,
        "open",
    ),
    "open": _form(
        rf"\[{_WHO}\] floor open:", rf" ({_ID})(?: \(.*\))?", "floor open: …", _Log.open, "take2"
    ),
    "take2": _form(
        rf"\[{_WHO}\] floor take:",
        rf" (n/a|{_ID}(?:,{_ID}){{1,3}})(?: \(.*\))?",
        "floor take: …,… | n/a",
        _Log.take2,
        "drop koikoi won draw",
    ),
    "koikoi": _form(
        r"\[Round ([0-9]{1,3})\] (?=[A-Z0-9]+ chooses)",
        rf"{_WHO} chooses KOIKOI(?: \(.*\))?",
        "[Round …] … chooses KOIKOI",
        _Log.koikoi,
        "drop draw",
    ),
    "draw": _form(
        r"\[Round ([0-9]{1,3})\] (?=D)", r"Draw", "[Round …] Draw", _Log.draw, "initial finished"
    ),
    "won": _form(
        r"\[Round (?=[0-9])",
        rf"([0-9]{{1,3}})\] Winner={_WHO} base=({_SUM}) x([0-9]{{1,2}}) => \+({_SUM})"
        rf" \(reason=[^,]*, Total P1=({_SUM}) CPU=({_SUM})\)",
        "[Round …] Winner=… base=… x1 => +… (reason=…, Total P1=… CPU=…)",
        _Log.won,
        "yaku initial finished",
    ),
    "yaku": _form("  - ", rf".*: ({_SUM})", "- …: …", _Log.named, "yaku initial finished"),
    "finished": _form(
        "Game Finished:", " rounds=([0-9]{1,2})", "Game Finished: rounds=…", _Log.finished, "final"
    ),
    "final": _form(
        "Final Score:",
        rf" P1=({_SUM}) CPU=({_SUM})",
        "Final Score: P1=… CPU=…",
        _Log.final,
        "best",
    ),
    "best": _form("Winner:", rf" {_WHO} <.*>", "Winner: P1 | CPU <…>", _Log.best, ""),
}
#: The beginnings of all of them, each a group named after its kind.


# Compiled when the first log is read: that takes longer than to import the rest of the library.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@cache
def _leads() -> re.Pattern[str]:
    """How the lines of each kind begin."""
    return re.compile("|".join(f"(?P<{kind}>{form.lead})" for kind, form in _FORMS.items()))
