"""Messages of codes: ids of seats, cards, yaku, decisions and grades become words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Final

from kafu.cards import BLANK, CARD, UNKNOWN, unique_name
from kafu.notation.faults import Code, player_name
from kafu.notation.vocabulary import RULES
from kafu.rules.names import GRADES, YAKU

_LETTERS: Final = re.compile(r"[A-Za-v_?]+")
#: The most cards named in a message with letters; a longer list is shown as letters only.
_MOST_NAMES: Final = 4
#: Names of the characters that are no card of the pack.
_NAMELESS: Final = {UNKNOWN: ("an unknown card", "不明の札"), BLANK: ("the blank card", "白札")}
#: Claims of a record, in words.
_CLAIMS: Final = {
    "score": ("the score", "得点"),
    "final": ("the final score", "最終得点"),
    "result": ("the result", "結果"),
}


class _Sentence(Formatter):
    """A formatter for messages.

    Ids and seat numbers become words in fields with a format spec: ``{seat:seat}``,
    ``{yaku:yaku}``, ``{word:word}`` (decisions), ``{grade:grade}``, ``{where:claim}``,
    ``{card:card}`` (names, and after them the letters unless ``plain``). A value may have several,
    as ``1, 3`` or ``agari / sage``. Without letters, cards that share a name have numbers.
    """

    def __init__(self, lang: str, players: Sequence[str], *, plain: bool) -> None:
        self.lang, self.japanese = lang, lang == "ja"
        self.players = players
        self.plain = plain
        self.shared: set[str] = set()

    def write(self, sentence: str, values: Mapping[str, Any]) -> str:
        """Return a sentence with its values."""
        if self.plain:
            fields = [field for _text, field, spec, _ in self.parse(sentence) if spec == "card"]
            letters = {letter for field in fields if field for letter in str(values[field])}
            names = Counter(CARD[letter].en for letter in letters & CARD.keys())
            self.shared = {name for name, count in names.items() if count > 1}
        return self.vformat(sentence, (), values)

    def format_field(self, value: Any, spec: str) -> str:
        if spec == "card":
            return _LETTERS.sub(lambda match: self._cards(match[0]), str(value))
        name = {
            "seat": self._seat,
            "yaku": self._yaku,
            "word": self._word,
            "grade": self._grade,
            "claim": self._claim,
        }.get(spec)
        if name is None:
            return str(format(value, spec))
        words = re.sub(r"[a-z][a-z0-9-]*|\d+", lambda match: name(match[0]), str(value))
        if self.japanese:
            return words.replace(", ", "、").replace("+", "・")
        return words.replace("+", " + ")

    def _seat(self, number: str) -> str:
        return player_name(int(number), self.lang, self.players)

    def _cards(self, letters: str) -> str:
        if self.plain:
            return self._names(letters)
        if len(letters) > _MOST_NAMES or not set(letters) <= CARD.keys():
            return f"札 {letters}" if self.japanese else f"card {letters}"
        names = self._names(letters)
        return f"{names}（{letters}）" if self.japanese else f"{names} ({letters})"

    def _names(self, letters: str) -> str:
        return ("、" if self.japanese else ", ").join(map(self._name, letters))

    def _name(self, letter: str) -> str:
        if letter in _NAMELESS:
            return _NAMELESS[letter][self.japanese]
        card = CARD[letter]
        if card.en in self.shared:
            return unique_name(letter, self.lang)
        return card.ja if self.japanese else card.en

    def _yaku(self, id: str) -> str:
        if id not in YAKU:
            return id
        return YAKU[id].ja if self.japanese else YAKU[id].romaji

    def _word(self, word: str) -> str:
        words = (known.decisions[word] for known in RULES.values() if word in known.decisions)
        return next(words, word) if self.japanese else word

    def _grade(self, id: str) -> str:
        grade, second = GRADES.get(id.removesuffix("2")), "2" if id.endswith("2") else ""
        if grade is None:
            return id
        return (grade.ja if self.japanese else grade.romaji) + second

    def _claim(self, id: str) -> str:
        if id not in _CLAIMS:
            return self._yaku(id)
        return _CLAIMS[id][self.japanese]


class RuleCode(Code):
    """A code with a message that names seats, yaku, decisions and field grades: see `_Sentence`."""

    __slots__ = ()

    def text(
        self,
        lang: str,
        values: Mapping[str, Any],
        players: Sequence[str] = (),
        *,
        plain: bool = False,
    ) -> str:
        sentence = self.ja if lang == "ja" else self.en
        if self.rulings and not plain:
            sentence = f"{sentence} ({self.rulings})"
        return _Sentence(lang, players, plain=plain).write(sentence, values)
