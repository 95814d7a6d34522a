"""Pages in the form that tests quote."""

import re

_BOX = re.compile(
    r" ?(</?(?:button|dd|details|div|dl|dt|form|h\d|li|nav|ol|option|p|section|select|summary"
    r"|t[dhr]|tbody|ul)\b[^>]*>) ?"
)


def join_lines(page: str) -> str:
    """Return a page without line breaks, and without spaces next to elements that have a box."""
    return _BOX.sub(r"\1", re.sub(r"[ \n]+", " ", page).replace(" >", ">"))
