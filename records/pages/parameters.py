"""Query parameters of several cached pages; see `records.serving.parameters`."""

from __future__ import annotations

from typing import Final

from records.serving.parameters import Parameters, last_of, one_of
from records.wording.steps import parse_position

#: Maximum length of a search.
SEARCHED: Final = 100
#: The position in a replay.
AT: Final[Parameters] = {"at": last_of(lambda text: str(parse_position(text) or ""))}
#: The wish to see results in spite of the cookie ``spoilers``.
RESULTS: Final[Parameters] = {"results": one_of(["shown"])}
#: The key of a neighbour in a list.
PLACE: Final[Parameters] = dict.fromkeys(
    ("before", "after"), last_of(lambda key: key if key.isalnum() else "")
)
#: The text of a search box.
SEARCH: Final[Parameters] = {
    "q": last_of(lambda text: text.replace("\0", "").strip()[:SEARCHED].strip())
}
