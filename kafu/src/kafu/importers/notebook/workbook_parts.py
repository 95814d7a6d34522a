"""The XML parts of a workbook: a ZIP from an unknown sender, read within bounds.

All parts are charged to one meter of bytes and elements each time they are read, so a short file
cannot cause long work. Entities are never expanded, because a document type is refused.
"""

from __future__ import annotations

import posixpath
from io import BytesIO
from itertools import accumulate
from typing import ClassVar, Final
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from kafu.archives.zips import CORRUPT
from kafu.notation.faults import Fault, Malformed
from kafu.rules import codes

#: The maximum number of sheets read.
MAX_SHEETS: Final = 20
#: The number of characters that the name of a sheet can have.
MAX_NAME: Final = 31
#: The maximum files of a workbook, and unpacked bytes and XML elements of the parts that are read:
#: far more than a notebook has.
_MAX_FILES: Final = 1_000
_MAX_BYTES: Final = 8 << 20
_MAX_ELEMENTS: Final = 250_000
#: The maximum depth of elements, and number of different names, which expat stores.
_MAX_DEPTH: Final = 50
_MAX_NAMES: Final = 10_000
#: The number of bytes given to expat at a time, and the maximum length of a tag or comment: for
#: each piece, expat before 2.6 searches an unfinished tag from its beginning.
_PIECE: Final = 1 << 16
#: The encodings of XML in workbooks.
_ENCODINGS: Final = ("utf-8", "utf-16")
#: The path around the first element, and the path of elements that the reader of a part ignores.
_ROOT: Final = "/"
_UNKNOWN: Final = ""


class PartReader:
    """A reader of one kind of part.

    ``paths`` are the elements that it reads, each with the names of the elements around it. It is
    called for these, and for those around them.
    """

    paths: ClassVar[frozenset[str]]

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Read the attributes of an element."""

    def end(self, path: str, text: str) -> None:
        """Read the text of an element, after the elements in it."""


class Parts:
    """The parts of a workbook, and what is left of the bounds. Raises Malformed."""

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = ZipFile(BytesIO(data))
        except CORRUPT as error:
            raise damaged() from error
        entries = self._archive.infolist()
        if len(entries) > _MAX_FILES:
            raise _too_large()
        self._entries = {_key(entry.filename): entry for entry in entries}
        self._bytes_left = _MAX_BYTES
        self._elements_left = _MAX_ELEMENTS

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._entries

    def parse(self, name: str, reader: PartReader) -> None:
        """Give the elements of a part to its reader. Raises Malformed."""
        data = memoryview(self._unpack(name))
        parser = _Parser(reader)
        for start in range(0, len(data) + 1, _PIECE):
            self._elements_left -= parser.feed(data[start : start + _PIECE], start)
            if self._elements_left < 0:
                raise _too_large()
        parser.close()

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """Return kind and name of the parts that a part names, by id. Raises Malformed."""
        folder, file = posixpath.split(name)
        reader = _RelationReader(folder)
        self.parse(posixpath.join(folder, "_rels", f"{file}.rels"), reader)
        return reader.relations

    def _unpack(self, name: str) -> bytes:
        entry = self._entries.get(_key(name))
        # zipfile unpacks bzip2 and LZMA without a limit, and no spreadsheet writes them.
        if entry is None or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise damaged()
        try:
            # The size in the directory can be wrong.
            with self._archive.open(entry) as file:
                data = file.read(self._bytes_left + 1)
        except CORRUPT as error:
            raise damaged() from error
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise _too_large()
        return data


class _Parser:
    """A parser of one part, which refuses document types, deep nesting and long tags.

    The path of an element consists of names without prefixes, because strict and transitional
    workbooks differ in namespaces only.
    """

    def __init__(self, reader: PartReader) -> None:
        self._reader = reader
        self._known = {
            (path.rpartition("/")[0] or _ROOT, path.rpartition("/")[2]): path
            for longest in reader.paths
            for path in accumulate(longest.split("/"), "{}/{}".format)
        }
        self._paths = [_ROOT]
        self._texts: list[str] = []
        self._elements = 0
        self._names: dict[str, str] = {}
        self._expat = expat.ParserCreate(intern=self._names)
        self._expat.buffer_text = True
        self._expat.XmlDeclHandler = self._check_declaration
        self._expat.StartDoctypeDeclHandler = self._refuse_document_type
        self._expat.StartElementHandler = self._begin
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._texts.append

    def feed(self, piece: memoryview, start: int) -> int:
        """Parse the piece that begins at a byte. Return the number of its elements."""
        self._elements = 0
        self._parse(piece, False)
        unfinished = start + len(piece) - self._expat.CurrentByteIndex
        if unfinished > _PIECE or len(self._names) > _MAX_NAMES:
            raise damaged()
        return self._elements

    def close(self) -> None:
        """Check that the part is complete."""
        self._parse(b"", True)

    def _parse(self, piece: bytes | memoryview, is_last: bool) -> None:
        try:
            self._expat.Parse(piece, is_last)
        except expat.ExpatError as error:
            raise damaged() from error

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        paths = self._paths
        if len(paths) > _MAX_DEPTH:
            raise damaged()
        if ":" in name:
            name = name.rpartition(":")[2]
        path = self._known.get((paths[-1], name), _UNKNOWN)
        paths.append(path)
        if path:
            self._texts.clear()
            self._reader.begin(path, attributes)

    def _end(self, _name: str) -> None:
        if path := self._paths.pop():
            self._reader.end(path, "".join(self._texts))

    def _check_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise damaged()

    def _refuse_document_type(self, *_declaration: object) -> None:
        raise damaged()


class _RelationReader(PartReader):
    """A reader of the parts that another part names."""

    _RELATION: Final = "Relationships/Relationship"
    paths: ClassVar = frozenset({_RELATION})

    def __init__(self, folder: str) -> None:
        self.relations: dict[str, tuple[str, str]] = {}
        self._folder = folder

    def begin(self, path: str, attributes: dict[str, str]) -> None:
        """Store the kind and the name of a part."""
        if path == self._RELATION and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.join("/", self._folder, attributes.get("Target", ""))
            self.relations[attributes.get("Id", "")] = kind, posixpath.normpath(target)


def damaged() -> Malformed:
    """Return the error for a workbook that no spreadsheet writes."""
    return Malformed(Fault(codes.NOTEBOOK_WORKBOOK))


def _too_large() -> Malformed:
    values = {"files": _MAX_FILES, "bytes": _MAX_BYTES, "elements": _MAX_ELEMENTS}
    return Malformed(Fault(codes.NOTEBOOK_WORKBOOK_TOO_LARGE, values=values))


def _key(name: str) -> str:
    """Return the name of a part as it is compared: without case, with slashes, from the root."""
    return name.replace("\\", "/").lstrip("/").lower()
