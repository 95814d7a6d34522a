"""The canonical Kafu text of a game (kafu.md §10), and the identity of a game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from kafu import cards
from kafu.notation.actions import turn_text
from kafu.notation.game import MOVES, MOVETEXT, Game, Month, Statement
from kafu.notation.reading import amounts
from kafu.notation.reading.source import collapse
from kafu.notation.reading.tags import compose, note_key
from kafu.notation.vocabulary import LEADING_TAGS, RULES, VERSION, WIDTH

#: Tags besides the players' that take part in the identity.
IDENTITY_TAGS: Final = frozenset(("Kafu", "Rules", "Options", "Date"))


def write(game: Game) -> str:
    """Return the canonical text of ``game``, ending in one LF.

    Reading the text again returns an equal game with the same canonical text. Raises KeyError for
    a ruleset that is not registered.
    """
    return "\n".join(_Writer(game).lines)


def identity(game: Game) -> str:
    """Return the SHA-256, in 64 hex digits, of the canonical text without comments and claims.

    Left out are comments, ``score``, ``final``, ``Result``, every tag but Kafu, Rules, Options,
    Date and the players, and the seat before a turn. Round numbers are counted, not copied. Two
    records of one game have the same identity, even with different claims.
    """
    return text_and_identity(game)[1]


def text_and_identity(game: Game) -> tuple[str, str]:
    """Return the results of `write` and `identity`, in half the time."""
    writer = _Writer(game)
    identifying_text = "\n".join(writer.identity_lines)
    return "\n".join(writer.lines), hashlib.sha256(identifying_text.encode()).hexdigest()


class _Writer:
    """The lines of one game, and the lines for its identity.

    `lines` is the canonical text; `identity_lines` leaves out comments and claims.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.notation = RULES[game.rules]
        self.lines: list[str] = []
        self.identity_lines: list[str] = []
        # A text that began with a brace and a quote would look like JSON.
        head = _format_comments(game.notes.get("head", ()))
        self.lines += [f"; {text[1:-1]}" if text.startswith('{"') else text for text in head]
        self._write_tags()
        for month in game.months:
            self._write_month(month)
        if game.final is not None:
            self.lines.append("")
            text = f"final {self._format_amounts(game.final)}"
            self._add(text, game.notes.get("final"), claim=True)
        self.lines.append("")
        self.identity_lines.append("")

    def _add(self, text: str, comments: Sequence[str] | None, *, claim: bool = False) -> None:
        """Add a tag or statement, followed by its comments."""
        if not claim:
            self.identity_lines.append(text)
        self.lines += _wrap([text, *_format_comments(comments)]) if comments else (text,)

    # --- tags ---

    def _write_tags(self) -> None:
        game = self.game
        tags = game.tags | {"Kafu": VERSION, "Rules": game.rules}
        if game.options:
            options = sorted(game.options.items())
            tags["Options"] = " ".join(f"{name}={value}" for name, value in options)
        players = [f"Player{seat}" for seat in range(1, len(game.players) + 1)]
        values: list[tuple[str, str]] = []
        values += [(name, tags.pop(name)) for name in LEADING_TAGS if name in tags]
        values += zip(players, map(str.strip, game.players), strict=True)
        if game.result is not None:
            values.append(("Result", " ".join(map(self._format_amount, game.result))))
        of_identity = {*IDENTITY_TAGS, *players}
        for name, value in values + sorted(tags.items()):
            text = compose(value).replace("\\", "\\\\").replace('"', '\\"')
            comments = game.notes.get(note_key(name))
            self._add(f'[{name} "{text}"]', comments, claim=name not in of_identity)

    # --- months ---

    def _write_month(self, month: Month) -> None:
        self.lines.append("")
        self.identity_lines.append("")
        rows = month.rows
        if rows is not None and rows.length != self.notation.round:
            month.expand()
            rows = None
        is_played = False
        for statement in month.written:
            keyword, comments = statement.keyword, statement.comments
            if keyword not in MOVETEXT:
                self._add(
                    self._statement_text(statement, month), comments, claim=keyword == "score"
                )
            elif rows is not None:
                self.lines.append(rows.text)
                self.identity_lines.append(rows.text)
            elif not is_played:
                is_played = True
                self._write_turns([item for item in month.written if item.keyword in MOVETEXT])

    def _statement_text(self, statement: Statement, month: Month) -> str:
        """Return a statement of a month in canonical form, without its comments."""
        keyword, value = statement.keyword, statement.value
        match keyword:
            case "hand":
                value = f"{value[0]} {cards.sort(value[1])}"
            case "field":
                value = cards.sort(value)
            case "stock":
                value = value[0] + "..." * value[1]
            case "month":
                value = f"{value[0]} dealer {value[1]}"
            case "score":
                value = self._format_amounts(value)
            case "draw":
                value = " ".join(f"{seat}{card}" for seat, card in value.items())
            case "split":
                value = " ".join(f"{seat}{cards.sort(value[seat])}" for seat in sorted(value))
            case "bid":
                # A blind dealer is in already, so a blind dealer's first bid is not written (B14).
                blind = [bid._replace(kind="bid", say="in") for bid in month.actions("blind")]
                bids = value[1:] if len(value) > 1 and value[0] in blind else value
                value = " ".join(f"{bid.seat}{bid.say}" for bid in bids)
            case "blind" | "swap" | "show" | "redeal" | "void":
                return str(value[0])
            case "pay":
                keyword = "void" if value.void else "pay"
                value = f"{value.label} {self._format_amounts(value.amounts)}"
        return f"{keyword} {value}"

    def _write_turns(self, statements: Sequence[Statement]) -> None:
        """Add the movetext: one line per round, led by the round number; calls follow their turn.

        Written round numbers and seats stay in the canonical text, wrong or not. The identity
        leaves them out.
        """
        lines = self._format_rounds(statements)
        self.lines += lines
        if not all(item.is_bare for item in statements):
            moves = [item for item in statements if item.keyword in MOVES]
            bare = [Statement(item.keyword, item.value) for item in moves]
            lines = self._format_rounds(bare) if bare else []
        self.identity_lines += lines

    def _format_rounds(self, statements: Sequence[Statement]) -> list[str]:
        lines: list[str] = []
        first = next((item for item in statements if item.keyword == "turn"), None)
        tokens = [_round_number(first, 1)]
        count = 0
        for statement in statements:
            if statement.keyword == "turn":
                round, place = divmod(count, self.notation.round)
                if count and not place:
                    lines += _wrap(tokens, WIDTH)
                    tokens = [_round_number(statement, round + 1)]
                elif place and statement.round is not None:
                    tokens.append(f"{statement.round}.")
                count += 1
                seat = f"{statement.seat}:" if statement.seat else ""
                tokens.append(seat + turn_text(statement.value))
            elif statement.keyword == "call":
                tokens.append(turn_text(statement.value))
            if statement.comments:
                tokens += _format_comments(statement.comments)
        return lines + _wrap(tokens, WIDTH)

    # --- sums ---

    def _format_amount(self, amount: int) -> str:
        return amounts.text(amount, self.notation.kan)

    def _format_amounts(self, sums: Sequence[int]) -> str:
        words = map(self._format_amount, sums)
        return " ".join([f"{seat} {word}" for seat, word in enumerate(words, start=1)])


def _round_number(turn: Statement | None, due: int) -> str:
    """Return the number of the round that begins with ``turn``: as written, else ``due``."""
    return f"{due if turn is None or turn.round is None else turn.round}."


def _format_comments(comments: Iterable[str]) -> list[str]:
    """Return comments in canonical form: a comment with a brace runs to the end of its line."""
    texts = filter(None, map(collapse, comments))
    return [f"; {text}" if "}" in text else f"{{{text}}}" for text in texts]


def _wrap(tokens: Sequence[str], width: int | None = None) -> list[str]:
    """Join ``tokens`` to lines, with a new line after a ``;`` comment and beyond ``width``."""
    lines: list[str] = []
    line, line_ended = "", False
    for token in tokens:
        if not line:
            line = token
        elif line_ended or (width is not None and len(line) + 1 + len(token) > width):
            lines.append(line)
            line = token
        else:
            line = f"{line} {token}"
        line_ended = token.startswith(";")
    lines.append(line)
    return lines


def write_turns(month: Month) -> str:
    """Return the turns of a deal as in its text, without round numbers, calls and comments."""
    if month.rows is not None:
        return " ".join([word for word in month.rows.text.split() if word[-1] != "."])
    return " ".join(turn_text(turn.value) for turn in month.turns if turn.keyword == "turn")
