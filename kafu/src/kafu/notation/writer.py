"""Game -> canonical Kafu text (kafu.md §10), and the identity of a game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.notation.game import Call, Game, Month, Notes, Turn
from kafu.notation.reading import amounts
from kafu.notation.reading.source import collapse
from kafu.notation.reading.tags import note_key
from kafu.notation.vocabulary import LEADING_TAGS, RULES, VERSION

#: Columns of a line of movetext, counted in characters.
WIDTH: Final = 80
#: Tags besides the players' that take part in the identity.
IDENTITY_TAGS: Final = frozenset(("Kafu", "Rules", "Options", "Date"))


def write(game: Game) -> str:
    """The canonical text of ``game``, ending in one LF.

    Reading it again gives the same game, and writing that the same bytes. Raises KeyError for a
    ruleset that the vocabulary does not have.
    """
    return _Writer(game, bare=False).text()


def identity(game: Game) -> str:
    """The SHA-256, in 64 hex digits, of the canonical text without comments and claims.

    Left out are comments, ``score``, ``final``, ``Result`` and every tag but Kafu, Rules, Options,
    Date and the players, and what stands before turns (round numbers are the due ones). Two records
    of one game have the same identity whatever they claim.
    """
    return hashlib.sha256(_Writer(game, bare=True).text().encode()).hexdigest()


def options_text(game: Game) -> str:
    """The options as the tag has them: ``name=value`` sorted by name, one space between."""
    return " ".join(f"{name}={value}" for name, value in sorted(game.options.items()))


class _Writer:
    """Writes one game; ``bare`` leaves out what the identity leaves out."""

    def __init__(self, game: Game, *, bare: bool) -> None:
        self.game = game
        self.bare = bare
        self.rules = RULES[game.rules]
        self.lines: list[str] = []

    def text(self) -> str:
        """The lines written, each ending in LF."""
        for words in self._not_empty(self.game.notes.get("head", ())):
            # A text that began with a brace and a quote would look like JSON.
            semicolon = "}" in words or words.startswith('"')
            self.lines.append(f"; {words}" if semicolon else f"{{{words}}}")
        self._tags()
        for month in self.game.months:
            self.lines.append("")
            self._month(month)
        if self.game.final is not None and not self.bare:
            self.lines.append("")
            self._put("final " + self._by_seat(self.game.final), self.game.notes, "final")
        self.lines.append("")
        return "\n".join(self.lines)

    # --- lines ---

    def _not_empty(self, comments: Iterable[str]) -> list[str]:
        if self.bare:
            return []
        return [words for words in map(collapse, comments) if words]

    def _comments(self, comments: Iterable[str]) -> list[str]:
        """Comments in canonical form: one that contains a brace runs to the end of its line."""
        return [
            f"; {words}" if "}" in words else f"{{{words}}}" for words in self._not_empty(comments)
        ]

    def _put(self, text: str, notes: Notes, key: str) -> None:
        """A tag or statement, followed by the comments stored under ``key``."""
        if key in notes:
            self._flow([text, *self._comments(notes[key])], width=None)
        else:
            self.lines.append(text)

    def _flow(self, tokens: Sequence[str], width: int | None) -> None:
        """``tokens`` with one space between, on a new line after ``;`` and beyond ``width``."""
        line, ended = "", False
        for token in tokens:
            if not line:
                line = token
            elif ended or (width is not None and len(line) + 1 + len(token) > width):
                self.lines.append(line)
                line = token
            else:
                line = f"{line} {token}"
            ended = token.startswith(";")
        self.lines.append(line)

    # --- tags ---

    def _tags(self) -> None:
        game = self.game
        own = {"Kafu": VERSION, "Rules": game.rules, "Options": options_text(game)}
        if not own["Options"]:
            del own["Options"]
        for name in LEADING_TAGS:
            value = own.get(name, game.tags.get(name))
            if value is not None:
                self._tag(name, value)
        for seat, player in enumerate(game.players, start=1):
            self._tag(f"Player{seat}", player)
        if game.result is not None:
            self._tag("Result", " ".join(map(self._amount, game.result)))
        for name in sorted(game.tags):
            if name not in LEADING_TAGS:
                self._tag(name, game.tags[name])

    def _tag(self, name: str, value: str) -> None:
        if self.bare and name not in IDENTITY_TAGS and name not in self._player_tags:
            return
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        self._put(f'[{name} "{quoted}"]', self.game.notes, note_key(name))

    @property
    def _player_tags(self) -> set[str]:
        return {f"Player{seat}" for seat in range(1, len(self.game.players) + 1)}

    # --- months ---

    def _month(self, month: Month) -> None:
        notes = month.notes
        for key, text in self._statements(month):
            self._put(text, notes, key)
        self._turns(month)
        if month.redeal is not None:
            self._put(f"redeal {month.redeal}", notes, "redeal")
        if month.void is not None:
            self._put(f"void {month.void}", notes, "void")
        for index, payment in enumerate(month.payments):
            word = "void" if payment.void else "pay"
            text = f"{word} {payment.label} {self._by_seat(payment.amounts)}"
            self._put(text, notes, f"pay.{index}")
        if month.stone is not None:
            self._put(f"stone {month.stone}", notes, "stone")
        if month.score is not None and not self.bare:
            self._put("score " + self._by_seat(month.score), notes, "score")

    def _statements(self, month: Month) -> Iterator[tuple[str, str]]:
        """Key and text of the statements before the turns, in the order of kafu.md §4."""
        yield "month", f"month {month.month} dealer {month.dealer}"
        for index, drawn in enumerate(month.draws):
            words = " ".join(f"{seat}{card}" for seat, card in drawn.items())
            yield f"draw.{index}", f"draw {words}"
        if month.split:
            drawn = month.split
            words = " ".join(f"{seat}{cards.sort(drawn[seat])}" for seat in sorted(drawn))
            yield "split", f"split {words}"
        if month.blind is not None:
            yield "blind", f"blind {month.blind}"
        for seat in sorted(month.hands):
            yield f"hand.{seat}", f"hand {seat} {cards.sort(month.hands[seat])}"
        if month.field is not None:
            yield "field", f"field {cards.sort(month.field)}"
        if month.stock is not None:
            yield "stock", f"stock {month.stock}{'...' if month.stock_cut else ''}"
        for index, seat in enumerate(month.swaps):
            yield f"swap.{index}", f"swap {seat}"
        if month.bids:
            # A blind dealer is in already: a bid of theirs before others is not written (B14).
            comments = len(month.bids) > 1 and month.bids[0] == (month.blind, True)
            bids = month.bids[1:] if comments else month.bids
            words = " ".join(f"{seat}{'in' if goes_in else 'out'}" for seat, goes_in in bids)
            yield "bid", f"bid {words}"
        if month.ba is not None:
            yield "ba", f"ba {month.ba}"
        for index, show in enumerate(month.shows):
            yield (
                f"show.{index}",
                f"show {show.seat} {'+'.join(show.yaku)} {cards.sort(show.cards) or '-'}",
            )

    def _turns(self, month: Month) -> None:
        """The movetext: a line a round, which begins with its number; calls follow their turn.

        A round number that was written stays, wrong or not, and so does a seat.
        """
        before = self._comments(month.notes.get("turns", ()))
        if not month.turns and not before:
            return
        first = next((turn for turn in month.turns if isinstance(turn, Turn)), None)
        tokens = [self._number(first, 1), *before]
        count = 0
        for turn in month.turns:
            if isinstance(turn, Call):
                tokens.append(f"={turn.word} {turn.seat}")
            else:
                round, place = divmod(count, self.rules.round)
                if count and not place:
                    self._flow(tokens, WIDTH)
                    tokens = [self._number(turn, round + 1)]
                elif place and turn.round is not None and not self.bare:
                    tokens.append(f"{turn.round}.")
                count += 1
                seat = f"{turn.seat}:" if turn.seat is not None and not self.bare else ""
                tokens.append(seat + turn_text(turn))
            if turn.comments:
                tokens += self._comments(turn.comments)
        self._flow(tokens, WIDTH)

    def _number(self, turn: Turn | None, due: int) -> str:
        """The number of a round that begins with ``turn``: as written there, else ``due``."""
        written = None if turn is None or self.bare else turn.round
        return f"{due if written is None else written}."

    # --- sums ---

    def _amount(self, amount: int) -> str:
        return amounts.text(amount, self.rules.kan)

    def _by_seat(self, sums: Sequence[int]) -> str:
        return " ".join(f"{seat} {self._amount(sum_)}" for seat, sum_ in enumerate(sums, start=1))


def turn_text(turn: Turn) -> str:
    """One turn in canonical form, without round number and seat: ``BxA/GxH=koikoi``."""
    text = f"{turn.play}x{cards.sort(turn.take)}" if turn.take else turn.play
    if turn.say1:
        text += "=" + "=".join(turn.say1)
    if turn.turn:
        text += f"/{turn.turn}"
        if turn.take2:
            text += f"x{cards.sort(turn.take2)}"
    if turn.say:
        text += "=" + "=".join(turn.say)
    return text
