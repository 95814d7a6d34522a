"""Finds the top-level objects of JSON text: one object, an array of them, or one a line (NDJSON).

The scan only counts brackets outside strings; whether the JSON is right is the parser's business.
It jumps from one bracket or string to the next and looks at every byte once.
"""

from __future__ import annotations

import re
from typing import Final

from kafu.notation.stream.tape import Tape

#: The beginning of a JSON text; a brace followed by anything else is a comment of Kafu text.
JSON_BEGINS: Final = re.compile(rb"\{[ \t\r\n\f]{0,64}[\"}]|\[[ \t\r\n\f]{0,1024}(?:\{|\])")
_OBJECT: Final = re.compile(rb"\{[ \t\r\n\f]{0,64}[\"}]")
_LONGEST_BEGINNING: Final = 66
# Strings end with their line, so that an unclosed quote costs no more than the line. Nothing is
# backtracked. Groups are atomic rather than possessive: Python before 3.11.5 matches a possessive
# group of alternatives wrongly (gh-106052).
_STRING: Final = rb'"[^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*)'
_FLAT: Final = rb'[^"{}\[\]]*+'
# An array of numbers, or of such arrays: where it proves to be none it is looked at again.
_ARRAY: Final = rb"\[%(flat)b(?>(?:\[%(flat)b\]%(flat)b)*)\]" % {b"flat": _FLAT}
# What leaves the depth as it is, then a bracket, a string without an end, or the end.
_TOKEN: Final = re.compile(
    rb'(?>(?:[^"{}\[\]]++|%(string)b"|%(array)b)*)([{}\[\]]|%(string)b|\Z)'
    % {b"string": _STRING, b"array": _ARRAY}
)
_REST: Final = re.compile(rb'[^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*)("?)')
_FIRST_KEY: Final = re.compile(rb'\{"[^"\\\r\n]{1,64}"')
_KAFU_KEY: Final = b'{"kafu"'
_KEY_LENGTH: Final = 68


class JsonCutter:
    """Finds where a piece ends: before the next top-level object.

    An object that lacks a bracket is ended by a line that begins, in column 1, with the same first
    key as itself or with ``{"kafu"``, so that in NDJSON a broken game spoils no other.
    """

    def __init__(self) -> None:
        self._begin_piece()

    def _begin_piece(self) -> None:
        self.position = 0
        self.depth = 0
        self.begun = False
        self.ended = False
        self.in_string = False
        self.key = _KAFU_KEY

    def find(self, tape: Tape) -> int | None:
        """The length of the present piece, None for "beyond what is on the tape"."""
        self.position -= tape.dropped()
        if not self.begun and not self._begin(tape):
            return None
        if not self.ended:
            end = self._scan(tape)
            if end is not None:
                self._begin_piece()
                return end
            if not self.ended:
                return None
        end = self._next_object(tape)
        if end is not None:
            self._begin_piece()
        return end

    def _begin(self, tape: Tape) -> bool:
        """Find the object that the piece is to hold; only the first has anything before it."""
        start = self._next_object(tape)
        if start is None:
            return False
        if start + _KEY_LENGTH > len(tape.buffer) and not tape.ended:
            return False
        match = _FIRST_KEY.match(tape.buffer, start)
        self.key = match[0] if match else _KAFU_KEY
        self.position, self.depth, self.begun = start + 1, 1, True
        return True

    def _next_object(self, tape: Tape) -> int | None:
        match = _OBJECT.search(tape.buffer, self.position)
        if match:
            return match.start()
        self.position = max(self.position, len(tape.buffer) - _LONGEST_BEGINNING)
        return None

    def _scan(self, tape: Tape) -> int | None:
        """Go on to the end of the object; the result is where another object cuts it off."""
        buffer, length = tape.buffer, len(tape.buffer)
        if self.in_string:
            rest = _REST.match(buffer, self.position)
            if rest is not None:
                self.position = rest.end()
                if not rest[1] and self._cut_off(tape, rest.end()):
                    return None
            self.in_string = False
        for token in _TOKEN.finditer(buffer, self.position):
            start = token.start(1)
            if start == length:
                break
            character = buffer[start]
            if character == 0x22:
                if self._cut_off(tape, token.end()):
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
                    self.position, self.ended = token.end(), True
                    return None
        self.position = length
        return None

    @staticmethod
    def _cut_off(tape: Tape, end: int) -> bool:
        """Whether a string without an end, which goes on to ``end``, has one once the tape is
        filled.
        """
        return not tape.ended and end >= len(tape.buffer) - 1
