"""Texts of the rulebook: written once, read in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import get_language, gettext

from kafu.rules.names import YAKU


class Text:
    """A text of the catalogue with its figures or texts filled in."""

    __slots__ = ("msgid", "values")

    def __init__(self, msgid: str, values: dict[str, object]) -> None:
        self.msgid = msgid
        self.values = values

    def __str__(self) -> str:
        """The text in the language of the request."""
        text = gettext(self.msgid)
        return text % self.values if self.values else text


def say(msgid: str, **values: object) -> Text:
    """A text of the catalogue; imported as ``_``, so that `make messages` finds it."""
    return Text(msgid, values)


class YakuNames:
    """Yaku in a sentence: ``四光・三光`` or ``shikō, sankō``."""

    __slots__ = ("ids",)

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = tuple(ids)

    def __str__(self) -> str:
        """The names in the language of the request."""
        if (get_language() or "").startswith("ja"):
            return "・".join(YAKU[id].ja for id in self.ids)
        return ", ".join(YAKU[id].romaji for id in self.ids)
