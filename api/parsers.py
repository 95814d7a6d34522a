"""Parsers of upload bodies, which yield the parts as they arrive.

Content negotiation and the OpenAPI document take the media types from these classes.

Size-limited streaming of request bodies, which are never held in memory as a whole.

Waitress sets a length for chunked bodies too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, UnreadablePostError
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _
from multipart import MultipartError, MultipartSegment, PushMultipartParser
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

from api.problems import FILES, FORM, INCOMPLETE, Problem, too_large
from records.ingest.receiving import Part
from records.ingest.sheet_entries import MAX_BYTES, checked

PIECE: Final = 1 << 16
#: Names of the parts of a form.
FILE: Final = "file"
TEXT: Final = "text"
ENTRIES: Final = "entries"


class Body:
    """A request body, read once from front to end.

    A body longer than ``limit + slack`` bytes is refused as too large for ``limit``. ``slack`` is
    for the overhead of a form around its files.
    """

    def __init__(self, request: HttpRequest, limit: int, slack: int = 0) -> None:
        """Prepare to read the body; raise a 413 problem if its declared length is too large."""
        self.stream = request
        self.limit = limit
        self.most = limit + slack
        self.length = declared_length(request)
        self.count = 0
        if self.length > self.most:
            raise too_large(limit)

    def read(self, size: int = PIECE, /) -> bytes:
        """Read at most ``size`` bytes; return no bytes at the end.

        Raise a 413 problem for an oversized body, and a 400 problem if the sender disconnects
        before the declared length.
        """
        try:
            data = self.stream.read(size)
        except UnreadablePostError as error:
            raise _incomplete_body() from error
        self.count += len(data)
        if self.count > self.most:
            raise too_large(self.limit)
        if not data and size and self.count < self.length:
            raise _incomplete_body()
        return data


def _incomplete_body() -> Problem:
    return Problem(INCOMPLETE, _("The request body is incomplete; nothing was stored."))


def declared_length(request: HttpRequest) -> int:
    """Return the Content-Length of a request, or 0 without a valid one."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdigit() else 0


def has_body(request: HttpRequest) -> bool:
    """Return whether a request declares a body."""
    return declared_length(request) > 0


class WholeBodyParser(BaseParser):
    """Parser of a body that is one file, named by the header Content-Disposition."""

    suffix = ""

    def parse(  # type: ignore[override]
        self,
        stream: Body,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Iterator[Part]:
        """Yield one part, or none if the body is empty."""
        pieces = iter(partial(stream.read, PIECE), b"")
        first = next(pieces, b"")
        if first:
            yield Part(self._read_name(parser_context or {}), chain([first], pieces))

    def _read_name(self, context: Mapping[str, Any]) -> str:
        header = context["request"].headers.get("Content-Disposition", "")
        try:
            _value, parameters = parse_header_parameters(header)
        except ValueError:
            parameters = {}  # the name is only displayed, so a bad header refuses no file
        return parameters.get("filename") or f"body{self.suffix}"


class KafuParser(WholeBodyParser):
    """Parser of Kafu text with any number of games."""

    media_type = "text/x-kafu"
    suffix = ".kafu"


class KafuJsonParser(WholeBodyParser):
    """Parser of the JSON form of Kafu."""

    media_type = "application/vnd.kafu+json"
    suffix = ".json"


class JsonParser(WholeBodyParser):
    """Parser of JSON: the form of Kafu, or the log of another program."""

    media_type = "application/json"
    suffix = ".json"


class NdjsonParser(WholeBodyParser):
    """Parser of NDJSON with a game per line."""

    media_type = "application/x-ndjson"
    suffix = ".ndjson"


class PlainTextParser(WholeBodyParser):
    """Parser of text in a format that is detected by content."""

    media_type = "text/plain"
    suffix = ".txt"


class BytesParser(WholeBodyParser):
    """Parser of bytes in a format that is detected by content."""

    media_type = "application/octet-stream"


class CsvParser(WholeBodyParser):
    """Parser of a score notebook as a table with commas or semicolons."""

    media_type = "text/csv"
    suffix = ".csv"


class TsvParser(WholeBodyParser):
    """Parser of a score notebook as a table with tabs."""

    media_type = "text/tab-separated-values"
    suffix = ".tsv"


class XlsxParser(WholeBodyParser):
    """Parser of a score notebook as a workbook."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    suffix = ".xlsx"


class OdsParser(WholeBodyParser):
    """Parser of a score notebook as an OpenDocument workbook."""

    media_type = "application/vnd.oasis.opendocument.spreadsheet"
    suffix = ".ods"


class ZipParser(WholeBodyParser):
    """Parser of a ZIP archive of files in any format."""

    media_type = "application/zip"
    suffix = ".zip"


class TarParser(WholeBodyParser):
    """Parser of a tar archive of files in any format."""

    media_type = "application/x-tar"
    suffix = ".tar"


class GzipParser(WholeBodyParser):
    """Parser of a gzip-compressed file in any format."""

    media_type = "application/gzip"
    suffix = ".gz"


class ZstdParser(WholeBodyParser):
    """Parser of a file in any format, compressed by Zstandard (RFC 8878)."""

    media_type = "application/zstd"
    suffix = ".zst"


#: Maximum number of JSON values of a body with fields: more than the longest score sheet has.
MAX_VALUES: Final = 20_000


class FieldsParser(JSONParser):
    """Parser of small JSON bodies, up to `records.serving.limits.SMALL`."""

    def parse(self, stream: Any, *arguments: Any, **options: Any) -> Any:
        """Return the value; raise ParseError for invalid, too deeply nested or too long JSON."""
        try:
            value = super().parse(stream, *arguments, **options)
        except RecursionError:
            raise ParseError(_("JSON parse error - nested too deeply")) from None
        if _has_many_values(value):
            text = _("JSON parse error - more than %(most)d values")
            raise ParseError(text % {"most": MAX_VALUES})
        return value


def _has_many_values(value: Any) -> bool:
    """Return whether JSON has more than `MAX_VALUES` values, which take long to check."""
    count, containers = 1, [value]
    while containers and count <= MAX_VALUES:
        container = containers.pop()
        values = container.values() if isinstance(container, dict) else container
        count += len(values) if isinstance(container, dict | list) else 0
        if count <= MAX_VALUES and isinstance(container, dict | list):
            containers += [inner for inner in values if isinstance(inner, dict | list)]
    return count > MAX_VALUES


class FormParser(BaseParser):
    """Parser of a form with any number of parts ``file`` and ``text``.

    A part ``entries`` before the text of a score sheet holds the entries of its form. The parts are
    yielded as they arrive: docs/decisions/0005-forms.md.
    """

    media_type = "multipart/form-data"

    def parse(  # type: ignore[override]
        self,
        stream: Body,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Iterator[Part]:
        """Yield the parts in their order; read each before the next.

        Raise a 400 problem for a broken form, an unknown part, or too many parts.
        """
        max_files = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        count = 0
        entries = None
        events = _iterate_events(PushMultipartParser(_parse_boundary(media_type)), stream)
        for head in events:
            assert isinstance(head, MultipartSegment), "what follows a part is another or nothing"
            # The event None ends the bytes of a part.
            data: Iterator[Any] = iter(partial(next, events), None)
            count += 1
            if max_files is not None and count > max_files:
                text = _("At most %(count)d files at once.") % {"count": max_files}
                raise Problem(FILES, text, limit=max_files)
            if head.name == ENTRIES:
                entries = _read_entries(data)
                continue
            if head.name not in (FILE, TEXT):
                raise _unknown_part(head.name or "")
            filename = _find_filename(head)
            first = next(data, b"")
            if not first and not filename:
                continue  # an empty form field
            display_name = filename or ("paste.kafu" if head.name == TEXT else "")
            yield Part(display_name, chain([first], data), entries if head.name == TEXT else None)


def _read_entries(data: Iterator[bytes]) -> str:
    """Return the checked entries of a score sheet; raise a 400 problem for invalid entries."""
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


def _parse_boundary(media_type: str | None) -> bytes:
    _value, parameters = parse_header_parameters(media_type or "")
    boundary = parameters.get("boundary", "")
    # RFC 2046 §5.1.1
    if not (0 < len(boundary) <= 70 and boundary.isascii() and boundary.isprintable()):
        raise Problem(FORM, _("The Content-Type header has no boundary parameter."))
    return boundary.encode()


def _iterate_events(
    parser: PushMultipartParser, stream: Body
) -> Iterator[MultipartSegment | bytes | None]:
    """Yield the head of each part, its bytes in segments, and None after them.

    Raise a 400 problem for a broken form, so that no sent bytes are dropped silently.
    """
    try:
        yield from parser.parse_blocking(stream.read, PIECE)
    except MultipartError as error:
        raise Problem(FORM, str(error)) from error


def _find_filename(head: MultipartSegment) -> str:
    """Return the file name of a part, or "".

    RFC 7578 has no ``filename*``, but HTTP libraries send it for names outside ASCII.
    """
    if head.filename is not None:
        return head.filename
    try:
        _value, parameters = parse_header_parameters(head["Content-Disposition"])
    except ValueError as error:
        raise Problem(FORM, str(error)) from error
    return parameters.get("filename", "")


def _unknown_part(name: str) -> Problem:
    text = _("There is no part “%(name)s”: expected “file”, “text” or “entries”.")
    message = text % {"name": name[:100]}
    return Problem(FORM, message, errors=[{"name": name[:100], "message": message}])


#: The parsers of a body with a single file, in any form.
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
