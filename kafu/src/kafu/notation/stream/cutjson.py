"""Cut JSON text at its top-level objects: one object, an array, or one object per line (NDJSON).

The scan only counts brackets outside strings; the parser checks the JSON. It jumps from one bracket
or string to the next and reads every byte once.
"""

from __future__ import annotations

import re
from typing import Final

from kafu.notation.stream.tape import Tape

#: The beginning of a JSON text; a brace without JSON after it is a comment of Kafu text.
JSON_BEGINS: Final = re.compile(rb"\{[ \t\r\n\f]{0,64}[\"}]|\[[ \t\r\n\f]{0,1024}(?:\{|\])")
_OBJECT: Final = re.compile(rb"\{[ \t\r\n\f]{0,64}[\"}]")
_LONGEST_BEGINNING: Final = 66
# Strings end with their line, which limits an unclosed quote to a line. The patterns do not
# backtrack. Groups are atomic, because possessive groups of alternatives have a bug before Python
# 3.11.5 (gh-106052).
_STRING: Final = rb'"[^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*)'
_FLAT: Final = rb'[^"{}\[\]]*+'
# An array of numbers, or of arrays of numbers. Every further array is scanned bracket by bracket.
_ARRAY: Final = rb"\[%(flat)b(?>(?:\[%(flat)b\]%(flat)b)*)\]" % {b"flat": _FLAT}
# Text without effect on the depth, then a bracket, a string without an end, or the end.
_TOKEN: Final = re.compile(
    rb'(?>(?:[^"{}\[\]]++|%(string)b"|%(array)b)*)([{}\[\]]|%(string)b|\Z)'
    % {b"string": _STRING, b"array": _ARRAY}
)
_STRING_END: Final = re.compile(rb'[^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*)("?)')
_FIRST_KEY: Final = re.compile(rb'\{"[^"\\\r\n]{1,64}"')
_KAFU_KEY: Final = b'{"kafu"'
_KEY_LENGTH: Final = 68


class JsonCutter:
    """A search for the end of a piece, before the next top-level object.

    A line that begins, in column 1, with the object's own first key or with ``{"kafu"`` ends an
    object with a missing bracket. In NDJSON a broken game thus spoils no other game.
    """

    def __init__(self) -> None:
        self.position = 0
        self.depth = 0
        self.has_begun = False
        self.has_ended = False
        self.in_string = False
        self.key = _KAFU_KEY

    def find(self, tape: Tape) -> int | None:
        """Return the length of the current piece, or None if the end is not on the tape yet."""
        self.position -= tape.pop_dropped()
        if not self.has_begun and not self._begin_object(tape):
            return None
        end = None if self.has_ended else self._scan(tape)
        return self._next_object(tape) if self.has_ended else end

    def _begin_object(self, tape: Tape) -> bool:
        """Find the start of the piece's object. Only the first piece has text before it."""
        start = self._next_object(tape)
        if start is None:
            return False
        if start + _KEY_LENGTH > len(tape.buffer) and not tape.ended:
            return False
        match = _FIRST_KEY.match(tape.buffer, start)
        self.key = match[0] if match else _KAFU_KEY
        self.position, self.depth, self.has_begun = start + 1, 1, True
        return True

    def _next_object(self, tape: Tape) -> int | None:
        match = _OBJECT.search(tape.buffer, self.position)
        if match:
            return match.start()
        self.position = max(self.position, len(tape.buffer) - _LONGEST_BEGINNING)
        return None

    def _scan(self, tape: Tape) -> int | None:
        """Scan to the end of the object. Return the start of an interrupting object, or None."""
        buffer, length = tape.buffer, len(tape.buffer)
        if self.in_string:
            match = _STRING_END.match(buffer, self.position)
            if match is not None:
                self.position = match.end()
                if not match[1] and self._may_go_on(tape, match.end()):
                    return None
            self.in_string = False
        for token in _TOKEN.finditer(buffer, self.position):
            start = token.start(1)
            if start == length:
                break
            character = buffer[start]
            if character == 0x22:
                if self._may_go_on(tape, token.end()):
                    self.position, self.in_string = token.end(), True
                    return None
            elif character in b"{[":
                if character == 0x7B and buffer[start - 1] in b"\r\n":
                    if start + _KEY_LENGTH > length and not tape.ended:
                        self.position = start
                        return None
                    if buffer.startswith((self.key, _KAFU_KEY), start):
                        return start
                self.depth += 1
            else:
                self.depth -= 1
                if not self.depth:
                    self.position, self.has_ended = token.end(), True
                    return None
        self.position = length
        return None

    @staticmethod
    def _may_go_on(tape: Tape, end: int) -> bool:
        """Return whether an open string, up to ``end``, may end once the tape is filled."""
        return not tape.ended and end >= len(tape.buffer) - 1
