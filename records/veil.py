"""Names in the report of an upload, for those who may not know all of them.

A report tells of texts as they were sent, in which players stand by their real names. Who sent them
and the staff see that. For everybody else the pseudonym stands wherever a name is told, in messages
and names of files too, and nothing is quoted of a text in which a real name stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from records.access import Viewer, is_sender
from records.models import Player, Upload

#: What may stand between the parts of a name, in names of files as well.
_BETWEEN: Final = r"[\s_.\-]*"
_APART: Final = re.compile(r"[\s_.\-]+")
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
#: So many letters tell a name that was cut off.
_TELLING: Final = 3
HIDDEN: Final = "…"


class Veil:
    """Pseudonyms by the real names that they cover, in any case and width."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = {_bare(real): shown for real, shown in names.items()}
        self.real = _pattern(names) if names else None
        self.parts = _pattern({part for real in names for part in real.split()})

    def covers(self, text: str) -> bool:
        """Whether a real name stands in a text, be it in escapes of JSON."""
        if self.real is None:
            return False
        read = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
        return self.real.search(_plain(read)) is not None

    def over(self, value: Any) -> Any:
        """The value with pseudonyms in every text of it; `HIDDEN` for one that would still tell."""
        if self.real is None:
            return value
        if isinstance(value, str):
            return self._over_text(value, self.real)
        if isinstance(value, Mapping):
            return {key: self.over(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.over(item) for item in value)
        return value

    def fault(self, stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A stored fault with pseudonyms in what it quotes; None stays None.

        Of a text that cannot be read it may quote a part of a name, which is `HIDDEN` too.
        """
        if stored is None:
            return None
        if self.real is None:
            return dict(stored)
        values = {name: self._quoted(value, self.real) for name, value in stored["values"].items()}
        return {**stored, "values": values, "expected": self.over(stored["expected"])}

    def _quoted(self, value: Any, real: re.Pattern[str]) -> Any:
        if isinstance(value, str) and self.parts.search(_plain(real.sub(" ", value))):
            return HIDDEN
        return self.over(value)

    def _over_text(self, value: str, real: re.Pattern[str]) -> str:
        if self.covers(real.sub(" ", value)) or self._is_cut_in(value):
            return HIDDEN
        return real.sub(lambda found: self.names.get(_bare(found[0]), HIDDEN), value)

    def _is_cut_in(self, value: str) -> bool:
        """Whether a quotation that was cut off ends within a name."""
        if not value.endswith(HIDDEN):
            return False
        end = _bare(value.removesuffix(HIDDEN))
        return any(
            end.endswith(name[:count])
            for name in self.names
            for count in range(min(_TELLING, len(name) - 1), len(name))
            if count
        )


def veil_for(upload: Upload, viewer: Viewer) -> Veil:
    """What of an upload's report is veiled before a viewer: nothing for uploader and staff."""
    if viewer.staff or is_sender(upload, viewer):
        return Veil({})
    known = Player.objects.order_by().exclude(real_name="")
    return Veil(dict(known.values_list("real_name", "name")))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _bare(name: str) -> str:
    return _APART.sub("", _plain(name))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names, the longest first; a Latin one not within a word."""
    forms = {form for name in names for form in (name, _plain(name))}
    each = [
        _BETWEEN.join(re.escape(part) for part in _APART.split(form) if part)
        for form in sorted(forms, key=len, reverse=True)
    ]
    bounded = [
        (r"(?<![A-Za-z0-9])" if form[:1].isascii() else "")
        + form
        + (r"(?![A-Za-z0-9])" if form[-1:].isascii() else "")
        for form in each
        if form
    ]
    return re.compile("|".join(bounded) or r"(?!)", re.IGNORECASE)
