"""Game -> canonical Kafu text (kafu.md §10), and the identity of a game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kafu import cards
from kafu.notation.game import Call, Game, Month, Notes, Turn
from kafu.notation.reading import amounts
from kafu.notation.reading.source import collapse
from kafu.notation.reading.tags import composed, note_key
from kafu.notation.vocabulary import LEADING_TAGS, RULES, VERSION, WIDTH

#: Tags besides the players' that take part in the identity.
IDENTITY_TAGS: Final = frozenset(("Kafu", "Rules", "Options", "Date"))


def write(game: Game) -> str:
    """The canonical text of ``game``, ending in one LF.

    Reading it again gives the same game, and writing that the same bytes. Raises KeyError for a
    ruleset that the vocabulary does not have.
    """
    return _text(_Writer(game).lines)


def identity(game: Game) -> str:
    """The SHA-256, in 64 hex digits, of the canonical text without comments and claims.

    Left out are comments, ``score``, ``final``, ``Result`` and every tag but Kafu, Rules, Options,
    Date and the players, and what stands before turns (round numbers are the due ones). Two records
    of one game have the same identity whatever they claim.
    """
    return _hash(_Writer(game).bare)


def text_and_identity(game: Game) -> tuple[str, str]:
    """What `write` and `identity` return, in half the time."""
    writer = _Writer(game)
    return _text(writer.lines), _hash(writer.bare)


def _text(lines: list[str]) -> str:
    return "\n".join(lines)


def _hash(lines: list[str]) -> str:
    return hashlib.sha256(_text(lines).encode()).hexdigest()


def options_text(game: Game) -> str:
    """The options as the tag has them: ``name=value`` sorted by name, one space between."""
    return " ".join(f"{name}={value}" for name, value in sorted(game.options.items()))


class _Writer:
    """Writes one game: its ``lines``, and those without what the identity leaves out (``bare``)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = RULES[game.rules]
        self.lines: list[str] = []
        self.bare: list[str] = []
        for words in _not_empty(game.notes.get("head", ())):
            # A text that began with a brace and a quote would look like JSON.
            semicolon = "}" in words or words.startswith('"')
            self.lines.append(f"; {words}" if semicolon else f"{{{words}}}")
        self._tags()
        for month in game.months:
            self._month(month)
        if game.final is not None:
            self.lines.append("")
            self._put({"final": f"final {self._by_seat(game.final)}"}, game.notes, claim=True)
        self.lines.append("")
        self.bare.append("")

    def _put(self, texts: Mapping[str, str], notes: Notes, *, claim: bool = False) -> None:
        """Statements by their keys, each followed by the comments stored under it."""
        if not claim:
            self.bare += texts.values()
        if not notes:
            self.lines += texts.values()
            return
        for key, text in texts.items():
            self.lines += _flow([text, *_comments(notes[key])]) if key in notes else (text,)

    # --- tags ---

    def _tags(self) -> None:
        game = self.game
        own = {"Kafu": VERSION, "Rules": game.rules, "Options": options_text(game)}
        if not own["Options"]:
            del own["Options"]
        players = {f"Player{seat}": player for seat, player in enumerate(game.players, start=1)}
        for name in LEADING_TAGS:
            value = own.get(name, game.tags.get(name))
            if value is not None:
                self._tag(name, value, claim=name not in IDENTITY_TAGS)
        for name, player in players.items():
            self._tag(name, player, claim=False)
        if game.result is not None:
            self._tag("Result", " ".join(map(self._amount, game.result)), claim=True)
        for name in sorted(game.tags):
            if name not in LEADING_TAGS:
                self._tag(name, game.tags[name], claim=name not in players)

    def _tag(self, name: str, value: str, *, claim: bool) -> None:
        value = composed(value)
        if "\\" in value or '"' in value:
            value = value.replace("\\", "\\\\").replace('"', '\\"')
        self._put({note_key(name): f'[{name} "{value}"]'}, self.game.notes, claim=claim)

    # --- months ---

    def _month(self, month: Month) -> None:
        self.lines.append("")
        self.bare.append("")
        notes = month.notes
        self._put(_statements(month), notes)
        rows = month.rows
        if rows is not None and rows.length == self.rules.round and "turns" not in notes:
            self.lines.append(rows.text)
            self.bare.append(rows.text)
        else:
            self._turns(month)
        if ended := self._ended(month):
            self._put(ended, notes)
        if month.score is not None:
            self._put({"score": f"score {self._by_seat(month.score)}"}, notes, claim=True)

    def _ended(self, month: Month) -> dict[str, str]:
        """The statements between the turns and the score."""
        found = {}
        if month.redeal is not None:
            found["redeal"] = f"redeal {month.redeal}"
        if month.void is not None:
            found["void"] = f"void {month.void}"
        for index, payment in enumerate(month.payments):
            word = "void" if payment.void else "pay"
            found[f"pay.{index}"] = f"{word} {payment.label} {self._by_seat(payment.amounts)}"
        if month.stone is not None:
            found["stone"] = f"stone {month.stone}"
        return found

    def _turns(self, month: Month) -> None:
        """The movetext: a line a round, which begins with its number; calls follow their turn.

        A round number that was written stays, wrong or not, and so does a seat; but not in what is
        bare.
        """
        turns, comments = month.turns, _comments(month.notes.get("turns", ()))
        if not turns and not comments:
            return
        lines = self._rounds(turns, comments, bare=False)
        self.lines += lines
        if not comments and all(map(_is_bare, turns)):
            self.bare += lines
        elif turns:
            self.bare += self._rounds(turns, [], bare=True)

    def _rounds(
        self, turns: Sequence[Turn | Call], before: Sequence[str], *, bare: bool
    ) -> list[str]:
        lines: list[str] = []
        first = next((turn for turn in turns if isinstance(turn, Turn)), None)
        tokens = [_number(first, 1, bare), *before]
        count = 0
        for turn in turns:
            if isinstance(turn, Call):
                tokens.append(f"={turn.word} {turn.seat}")
            else:
                round, place = divmod(count, self.rules.round)
                if count and not place:
                    lines += _flow(tokens, WIDTH)
                    tokens = [_number(turn, round + 1, bare)]
                elif place and turn.round is not None and not bare:
                    tokens.append(f"{turn.round}.")
                count += 1
                seat = f"{turn.seat}:" if turn.seat is not None and not bare else ""
                tokens.append(seat + turn_text(turn))
            if turn.comments and not bare:
                tokens += _comments(turn.comments)
        return lines + _flow(tokens, WIDTH)

    # --- sums ---

    def _amount(self, amount: int) -> str:
        return amounts.text(amount, self.rules.kan)

    def _by_seat(self, sums: Sequence[int]) -> str:
        kan = self.rules.kan
        return " ".join(
            [f"{seat} {amounts.text(sum_, kan)}" for seat, sum_ in enumerate(sums, start=1)]
        )


def _statements(month: Month) -> dict[str, str]:
    """The statements before the turns by their keys, in the order of kafu.md §4."""
    found = {"month": f"month {month.month} dealer {month.dealer}"}
    for index, drawn in enumerate(month.draws):
        words = " ".join(f"{seat}{card}" for seat, card in drawn.items())
        found[f"draw.{index}"] = f"draw {words}"
    if month.split:
        drawn = month.split
        words = " ".join(f"{seat}{cards.sort(drawn[seat])}" for seat in sorted(drawn))
        found["split"] = f"split {words}"
    if month.blind is not None:
        found["blind"] = f"blind {month.blind}"
    for seat, hand in sorted(month.hands.items()):
        found[f"hand.{seat}"] = f"hand {seat} {cards.sort(hand)}"
    if month.field is not None:
        found["field"] = f"field {cards.sort(month.field)}"
    if month.stock is not None:
        found["stock"] = f"stock {month.stock}{'...' if month.stock_cut else ''}"
    for index, seat in enumerate(month.swaps):
        found[f"swap.{index}"] = f"swap {seat}"
    if month.bids:
        # A blind dealer is in already: a bid of theirs before others is not written (B14).
        implied = len(month.bids) > 1 and month.bids[0] == (month.blind, True)
        bids = month.bids[1:] if implied else month.bids
        words = " ".join(f"{seat}{'in' if goes_in else 'out'}" for seat, goes_in in bids)
        found["bid"] = f"bid {words}"
    if month.ba is not None:
        found["ba"] = f"ba {month.ba}"
    for index, show in enumerate(month.shows):
        shown = cards.sort(show.cards) or "-"
        found[f"show.{index}"] = f"show {show.seat} {'+'.join(show.yaku)} {shown}"
    return found


def _is_bare(turn: Turn | Call) -> bool:
    """Whether a turn has nothing with it that the identity leaves out."""
    if isinstance(turn, Call):
        return not turn.comments
    return turn.round is None and turn.seat is None and not turn.comments


def _number(turn: Turn | None, due: int, bare: bool) -> str:
    """The number of a round that begins with ``turn``: as written there, else ``due``."""
    written = None if turn is None or bare else turn.round
    return f"{due if written is None else written}."


def _not_empty(comments: Iterable[str]) -> list[str]:
    return [words for words in map(collapse, comments) if words]


def _comments(comments: Iterable[str]) -> list[str]:
    """Comments in canonical form: one that contains a brace runs to the end of its line."""
    return [f"; {words}" if "}" in words else f"{{{words}}}" for words in _not_empty(comments)]


def _flow(tokens: Sequence[str], width: int | None = None) -> list[str]:
    """Lines of ``tokens`` with one space between; a new one after ``;`` and beyond ``width``."""
    lines: list[str] = []
    line, ended = "", False
    for token in tokens:
        if not line:
            line = token
        elif ended or (width is not None and len(line) + 1 + len(token) > width):
            lines.append(line)
            line = token
        else:
            line = f"{line} {token}"
        ended = token.startswith(";")
    lines.append(line)
    return lines


def turn_text(turn: Turn) -> str:
    """One turn in canonical form, without round number and seat: ``BxA/GxH=koikoi``."""
    text = f"{turn.play}x{_take(turn.take)}" if turn.take else turn.play
    if turn.say1:
        text += "=" + "=".join(turn.say1)
    if turn.turn:
        text += f"/{turn.turn}"
        if turn.take2:
            text += f"x{_take(turn.take2)}"
    if turn.say:
        text += "=" + "=".join(turn.say)
    return text


def _take(letters: str) -> str:
    """Captured cards in card order; nearly always it is one."""
    return letters if len(letters) == 1 else cards.sort(letters)
