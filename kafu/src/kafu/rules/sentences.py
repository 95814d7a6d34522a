"""Sentences of codes: seats, cards, yaku, decisions and grades in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Final

from kafu.cards import CARD
from kafu.notation.faults import Code, player_name
from kafu.notation.vocabulary import RULES
from kafu.rules.names import GRADES, YAKU

_LETTERS: Final = re.compile(r"[A-Za-v_?]+")
#: Cards at most that a sentence names; of more it has the letters.
_NAMED: Final = 4
#: What a record claims, in words.
_CLAIMS: Final = {
    "score": ("the score", "得点"),
    "final": ("the final score", "最終得点"),
    "result": ("the result", "結果"),
}


class _Sentence(Formatter):
    """Fills in a sentence. Ids and seat numbers whose field has a format spec become words:
    ``{seat:seat}``, ``{yaku:yaku}``, ``{word:word}`` (decisions), ``{grade:grade}``,
    ``{where:claim}``, ``{card:card}`` (letters, which stand behind the names). A value may hold
    several, as ``1, 3`` or ``agari / sage``.
    """

    def __init__(self, lang: str, players: Sequence[str]) -> None:
        self.lang, self.japanese = lang, lang == "ja"
        self.players = players

    def format_field(self, value: Any, spec: str) -> str:
        if spec == "card":
            return _LETTERS.sub(lambda found: self._cards(found[0]), str(value))
        name = {
            "seat": self._seat,
            "yaku": self._yaku,
            "word": self._word,
            "grade": self._grade,
            "claim": self._claim,
        }.get(spec)
        if name is None:
            return str(format(value, spec))
        named = re.sub(r"[a-z][a-z0-9-]*|\d+", lambda found: name(found[0]), str(value))
        if self.japanese:
            return named.replace(", ", "、").replace("+", "・")
        return named.replace("+", " + ")

    def _seat(self, number: str) -> str:
        return player_name(int(number), self.lang, self.players)

    def _cards(self, letters: str) -> str:
        if len(letters) > _NAMED or not set(letters) <= CARD.keys():
            return f"札 {letters}" if self.japanese else f"card {letters}"
        if self.japanese:
            return f"{'、'.join(CARD[one].ja for one in letters)}（{letters}）"
        return f"{', '.join(CARD[one].en for one in letters)} ({letters})"

    def _yaku(self, id: str) -> str:
        if id not in YAKU:
            return id
        return YAKU[id].ja if self.japanese else YAKU[id].romaji

    def _word(self, word: str) -> str:
        words = (one.decisions[word] for one in RULES.values() if word in one.decisions)
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
    """A code whose sentence names seats, yaku, decisions and field grades: see `_Sentence`."""

    __slots__ = ()

    def text(self, lang: str, values: Mapping[str, Any], players: Sequence[str] = ()) -> str:
        sentence = self.ja if lang == "ja" else self.en
        return _Sentence(lang, players).vformat(sentence, (), values)
