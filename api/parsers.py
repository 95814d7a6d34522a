"""Request bodies of uploads: each parser yields the parts as they arrive, none in memory.

Content negotiation and the schema take the media types from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from django.conf import settings
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _
from multipart import MultipartError, MultipartSegment, PushMultipartParser
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

from api.body import PIECE, Body
from api.problems import FILES, FORM, Problem
from records.ingest.receiving import Part
from records.ingest.sheet_entries import MAX_BYTES, checked

#: Names of the parts of a form.
FILE: Final = "file"
TEXT: Final = "text"
ENTRIES: Final = "entries"


class WholeBodyParser(BaseParser):
    """A body that is one file. The header Content-Disposition may name it."""

    suffix = ""

    def parse(  # type: ignore[override]
        self,
        stream: Body,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Iterator[Part]:
        """One part; none if the body is empty."""
        pieces = iter(partial(stream.read, PIECE), b"")
        first = next(pieces, b"")
        if first:
            yield Part(self._name(parser_context or {}), chain([first], pieces))

    def _name(self, context: Mapping[str, Any]) -> str:
        header = context["request"].headers.get("Content-Disposition", "")
        try:
            _value, parameters = parse_header_parameters(header)
        except ValueError:
            parameters = {}  # a name is only shown, no reason to refuse a file
        return parameters.get("filename") or f"body{self.suffix}"


class KafuParser(WholeBodyParser):
    """Kafu text: one game or many."""

    media_type = "text/x-kafu"
    suffix = ".kafu"


class KafuJsonParser(WholeBodyParser):
    """The JSON form of Kafu."""

    media_type = "application/vnd.kafu+json"
    suffix = ".json"


class JsonParser(WholeBodyParser):
    """JSON: the form of Kafu, or another program's log."""

    media_type = "application/json"
    suffix = ".json"


class NdjsonParser(WholeBodyParser):
    """JSON, a game a line."""

    media_type = "application/x-ndjson"
    suffix = ".ndjson"


class PlainTextParser(WholeBodyParser):
    """Text of any form: its content decides what it is."""

    media_type = "text/plain"
    suffix = ".txt"


class BytesParser(WholeBodyParser):
    """Bytes of any form: their content decides what they are."""

    media_type = "application/octet-stream"


class CsvParser(WholeBodyParser):
    """A score notebook: a table with commas or semicolons."""

    media_type = "text/csv"
    suffix = ".csv"


class TsvParser(WholeBodyParser):
    """A score notebook: a table with tabs."""

    media_type = "text/tab-separated-values"
    suffix = ".tsv"


class XlsxParser(WholeBodyParser):
    """A score notebook: a workbook."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    suffix = ".xlsx"


class ZipParser(WholeBodyParser):
    """A ZIP archive of files in any format."""

    media_type = "application/zip"
    suffix = ".zip"


class TarParser(WholeBodyParser):
    """A tar archive of files in any format."""

    media_type = "application/x-tar"
    suffix = ".tar"


class GzipParser(WholeBodyParser):
    """A file in any format, compressed by gzip."""

    media_type = "application/gzip"
    suffix = ".gz"


class ZstdParser(WholeBodyParser):
    """A file in any format, compressed by Zstandard (RFC 8878)."""

    media_type = "application/zstd"
    suffix = ".zst"


class FieldsParser(JSONParser):
    """JSON with a few fields: as many values as fit `records.serving.body_limits.SMALL`."""

    def parse(self, stream: Any, *arguments: Any, **given: Any) -> Any:
        """The value. Raises ParseError, also for one that is nested too deeply."""
        try:
            return super().parse(stream, *arguments, **given)
        except RecursionError:
            raise ParseError(_("JSON parse error - nested too deeply")) from None


class FormParser(BaseParser):
    """A form with parts ``file``, as many as there are, and ``text``; before the text of a score
    sheet, ``entries``, what was entered in its form.

    Each part is handed on as it comes: docs/decisions/0005-forms.md.
    """

    media_type = "multipart/form-data"

    def parse(  # type: ignore[override]
        self,
        stream: Body,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Iterator[Part]:
        """The parts in their order, each to be read before the next.

        Raises the problem 400 for a broken form, a part of another name, too many parts.
        """
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        count = 0
        entries = None
        events = _events(PushMultipartParser(_boundary(media_type)), stream)
        for head in events:
            assert isinstance(head, MultipartSegment), "what follows a part is another or nothing"
            # The bytes of the part, up to the event None.
            data: Iterator[Any] = iter(partial(next, events), None)
            if head.name == ENTRIES:
                entries = _entries(data)
                continue
            if head.name not in (FILE, TEXT):
                raise _unknown(head.name or "")
            filename = _filename(head)
            first = next(data, b"")
            if not first and not filename:
                continue  # a field left empty
            count += 1
            if most is not None and count > most:
                text = _("At most %(count)d files at once.") % {"count": most}
                raise Problem(FILES, text, limit=most)
            shown = filename or ("paste.kafu" if head.name == TEXT else "")
            yield Part(shown, chain([first], data), entries if head.name == TEXT else None)


def _entries(data: Iterator[bytes]) -> str:
    """Return the checked entries of a score sheet. Raise the problem 400 for invalid ones."""
    sent = b""
    try:
        for piece in data:
            sent += piece
            if len(sent) > MAX_BYTES:
                break
        return checked(sent)
    except ValueError as error:
        text = _("The part “entries” is not the months of a score sheet.")
        raise Problem(FORM, text, errors=[{"name": ENTRIES, "message": text}]) from error


def _boundary(media_type: str | None) -> bytes:
    _value, parameters = parse_header_parameters(media_type or "")
    boundary = parameters.get("boundary", "")
    # RFC 2046 §5.1.1
    if not (0 < len(boundary) <= 70 and boundary.isascii() and boundary.isprintable()):
        raise Problem(FORM, _("The Content-Type header has no boundary parameter."))
    return boundary.encode()


def _events(parser: PushMultipartParser, stream: Body) -> Iterator[MultipartSegment | bytes | None]:
    """The head of each part, its bytes piece by piece, and None after them.

    Raises the problem 400: what somebody has sent is never dropped in silence.
    """
    try:
        yield from parser.parse_blocking(stream.read, PIECE)
    except MultipartError as error:
        raise Problem(FORM, str(error)) from error


def _filename(head: MultipartSegment) -> str:
    """The name of a part's file, "" for none.

    RFC 7578 has no ``filename*``, but libraries sent it for names that are not ASCII.
    """
    if head.filename is not None:
        return head.filename
    try:
        _value, parameters = parse_header_parameters(head["Content-Disposition"])
    except ValueError as error:
        raise Problem(FORM, str(error)) from error
    return parameters.get("filename", "")


def _unknown(name: str) -> Problem:
    text = _("There is no part “%(name)s”: expected “file”, “text” or “entries”.")
    message = text % {"name": name[:100]}
    return Problem(FORM, message, errors=[{"name": name[:100], "message": message}])


#: A body that is one file, in any form.
WHOLE: Final = (
    KafuParser,
    KafuJsonParser,
    JsonParser,
    NdjsonParser,
    PlainTextParser,
    BytesParser,
    ZipParser,
    TarParser,
    GzipParser,
    ZstdParser,
)
