"""Cut JSON text at its top-level objects: one object, an array, or one object per line (NDJSON).

The scan only counts brackets outside strings; the parser checks the JSON. It jumps from one bracket
or string to the next and reads every byte once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

#: Bytes of a text, and whether a new piece begins with them.
Segment = tuple[bytes, bool]

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


def cut_json(blocks: Iterable[bytes]) -> Iterator[Segment]:
    """Yield JSON text in segments, and whether each begins a piece, with a top-level object.

    Text before the first object belongs to the first piece. A line that begins, in column 1, with
    the object's own first key or with ``{"kafu"`` ends an object with a missing bracket. In NDJSON
    a broken game thus spoils no other game.
    """
    scanner = _Scanner()
    begins = has_begun = False
    for block in chain(blocks, (b"",)):  # The empty block is the end of the stream.
        scanner.buffer += block
        scanner.has_ended = not block
        while scanner.find_object():
            if has_begun:
                yield scanner.take(scanner.position), begins
                begins = True
            has_begun = True
            scanner.enter_object()
        # The byte before the position may be a line end.
        yield scanner.take(max(0, scanner.position - 1) if block else len(scanner.buffer)), begins
        begins = False


class _Scanner:
    """A search for the top-level objects of a text that is read block by block.

    ``buffer`` is the part of the text that was read and not taken yet.
    """

    def __init__(self) -> None:
        self.buffer = b""
        self.has_ended = False
        self.position = 0
        self.depth = 0
        self.in_string = False
        self.key = _KAFU_KEY

    def take(self, length: int) -> bytes:
        """Remove and return the first ``length`` bytes."""
        data, self.buffer = self.buffer[:length], self.buffer[length:]
        self.position -= length
        return data

    def enter_object(self) -> None:
        """Move into the object at the position."""
        match = _FIRST_KEY.match(self.buffer, self.position)
        self.key = match[0] if match else _KAFU_KEY
        self.position, self.depth = self.position + 1, 1

    def find_object(self) -> bool:
        """Move to the next object. Return False if it is not in the buffer yet."""
        if self.depth:
            self._leave_object()
        match = None if self.depth else _OBJECT.search(self.buffer, self.position)
        if match is not None:
            self.position = match.start()
            return self.has_ended or self.position + _KEY_LENGTH <= len(self.buffer)
        if not self.depth:
            self.position = max(self.position, len(self.buffer) - _LONGEST_BEGINNING)
        return False

    def _leave_object(self) -> None:
        """Move to the end of the object, to an object that interrupts it, or to the buffer's end.

        The depth is 0 behind the object only.
        """
        buffer, length = self.buffer, len(self.buffer)
        if self.in_string:
            match = _STRING_END.match(buffer, self.position)
            if match is not None:
                self.position = match.end()
                self.in_string = not match[1] and self._may_go_on(match.end())
        if self.in_string:
            return
        for token in _TOKEN.finditer(buffer, self.position):
            start = token.start(1)
            if start == length:
                break
            character = buffer[start]
            if character == 0x22:
                if self._may_go_on(token.end()):
                    self.position, self.in_string = token.end(), True
                    return
            elif character in b"{[":
                if character == 0x7B and buffer[start - 1] in b"\r\n":
                    is_cut_off = start + _KEY_LENGTH > length and not self.has_ended
                    if is_cut_off or buffer.startswith((self.key, _KAFU_KEY), start):
                        self.position, self.depth = start, self.depth if is_cut_off else 0
                        return
                self.depth += 1
            else:
                self.depth -= 1
                if not self.depth:
                    self.position = token.end()
                    return
        self.position = length

    def _may_go_on(self, end: int) -> bool:
        """Return whether an open string, up to ``end``, may end in a later block."""
        return not self.has_ended and end >= len(self.buffer) - 1
