"""Open data: the page of the dumps, their files, and the notebook."""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from pathlib import Path, PurePath
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import storages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.http import parse_etags
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.packed import FileRange
from records.base.release import absolute
from records.models import Dump
from records.opendata.additions import ADDED_FILES
from records.opendata.croissant import describe_dump
from records.opendata.files import CONTENT_TYPES, LICENCE, MANIFEST, SUMS
from records.opendata.notebook import CELLS, RESULTS
from records.opendata.tables import TABLES
from records.serving.downloads import Download
from records.serving.limits import account_of

#: Files of a dump outside its manifest: the manifest and the checksums.
_EXTRA_FILES: Final = (MANIFEST, SUMS)
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def data_page(request: HttpRequest) -> HttpResponse:
    """Show the newest dump with its files and dataset card.

    The page also has the earlier dumps, the licence, and the meaning of columns.
    """
    rows = list(Dump.objects.all())
    dumps = [_describe(dump) for dump in rows]
    return render(
        request,
        "records/data.html",
        {
            "newest": dumps[0] if dumps else None,
            "older": dumps[1:],
            "card": _embed(_card(rows[0])) if rows else None,
            "kept": settings.DUMPS_KEPT,
            "hourly": settings.PUBLIC_ADDRESS,
            "licence": LICENCE,
            "tables": [*TABLES.values(), *ADDED_FILES.values()],
            "mon": labels.listed(labels.ruleset_brief(id) for id in RULESETS if RULESETS[id].mon),
            "base": absolute(""),
        },
    )


def _card(dump: Dump) -> dict[str, Any]:
    """Return the dataset card of a dump."""
    return describe_dump(
        dump.manifest,
        absolute(reverse("data")),
        lambda name: absolute(reverse("data-file", args=[dump.month, name])),
    )


def _embed(card: dict[str, Any]) -> SafeString:
    """Return a dataset card as the contents of a script element, safe against ``</script>``."""
    return mark_safe(_json(card).replace("<", "\\u003c"))


def _json(card: dict[str, Any]) -> str:
    return json.dumps(card, ensure_ascii=False, separators=(",", ":"))


@require_safe
def dataset_card(request: HttpRequest) -> HttpResponse:
    """Serve the dataset card of the newest dump."""
    dump = Dump.objects.first()
    if dump is None:
        raise Http404
    headers = {"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(_json(_card(dump)), content_type="application/ld+json", headers=headers)


def _describe(dump: Dump) -> dict[str, Any]:
    manifest = dump.manifest
    return {
        "month": dump.month,
        "made": parse_datetime(manifest["made"]),
        "whole": dump.whole,
        "counts": manifest["counts"],
        "files": manifest["files"],
        "bytes": sum(file["bytes"] for file in manifest["files"]),
    }


def notebook_page(request: HttpRequest) -> HttpResponse:
    """Show questions with their SQL, and their results as of the newest dump."""
    dump = Dump.objects.first()
    cells: list[dict[str, Any]] = []
    if dump is not None:
        try:
            with storages["dumps"].open(f"{dump.directory}/{RESULTS}") as file:
                cells = json.load(file)
        except FileNotFoundError:
            pass  # the file was just replaced by a newer dump, or removed
    definitions = {cell.id: cell for cell in CELLS}
    for cell in cells:
        definition = definitions.get(cell["id"])
        if definition is not None:
            cell |= {"question": definition.question, "meaning": definition.meaning}
        cell["rows"] = [[(_is_number(value), value) for value in row] for row in cell["rows"]]
        numbers = [
            any(number for number, _ in column) for column in zip(*cell["rows"], strict=True)
        ]
        cell["columns"] = list(zip_longest(numbers, cell["columns"]))
    return render(request, "records/notebook.html", {"dump": dump, "cells": cells})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


@require_safe
def data_file(request: HttpRequest, month: str, name: str) -> HttpResponseBase:
    """Return a file of a dump, whole or a requested range."""
    dump = Dump.objects.filter(month=month).first()
    if dump is None or name not in (
        *_EXTRA_FILES,
        *(file["name"] for file in dump.manifest["files"]),
    ):
        raise Http404
    path = f"{dump.directory}/{name}"
    try:
        size = storages["dumps"].size(path)
    except FileNotFoundError:
        raise Http404 from None
    # A new dump has a new directory, so the contents of a name never change.
    etag = f'"{dump.directory}-{name}"'
    headers = {
        "ETag": etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "public, max-age=3600",
        "Access-Control-Allow-Origin": "*",  # allows DuckDB-Wasm on pages of other sites
        "X-Content-Type-Options": "nosniff",
    }
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponse(status=304, headers=headers)
    byte_range = _byte_range(request, etag, size)
    if byte_range is None:
        headers["Content-Range"] = f"bytes */{size}"
        return HttpResponse(status=416, headers=headers)
    first, last = byte_range
    partial = (first, last) != (0, size - 1)
    if partial:
        headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    headers["Content-Length"] = str(last - first + 1)
    headers["Content-Type"] = CONTENT_TYPES.get(PurePath(name).suffix, "application/octet-stream")
    if request.method == "HEAD":
        return HttpResponse(status=206 if partial else 200, headers=headers)
    response = _send_range(request, path, first, last)
    response.status_code = 206 if partial else 200
    for name, value in headers.items():
        response[name] = value
    return response


@require_safe
@never_cache
def latest_file(request: HttpRequest, name: str) -> HttpResponse:
    """Lead to a file of the newest dump."""
    dump = Dump.objects.first()
    if dump is None:
        raise Http404
    response = redirect("data-file", dump.month, name)
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _send_range(request: HttpRequest, path: str, first: int, last: int) -> HttpResponseBase:
    """Return a response with the bytes ``first`` to ``last`` of a file, both included.

    The web server sends local files without a thread. A file in a bucket holds a thread, so the
    number of such downloads is limited.
    """
    storage: Any = storages["dumps"]
    try:
        return FileResponse(FileRange(Path(storage.path(path)), first, last))
    except NotImplementedError:
        pieces = storage.stream(path, first, last)
    return StreamingHttpResponse(Download(pieces, account_of(request)))


def _byte_range(request: HttpRequest, etag: str, size: int) -> tuple[int, int] | None:
    """Return the first and last byte of the requested range; None for a range outside the file.

    Anything but a single range of bytes requests the whole file, by RFC 9110.
    """
    match = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    if match is None or not any(match.groups()) or request.headers.get("If-Range", etag) != etag:
        return 0, size - 1
    low, high = match.groups()
    if not low:
        return (max(0, size - int(high)), size - 1) if int(high) and size else None
    first, last = int(low), min(int(high) if high else size, size - 1)
    return (first, last) if first <= last else None
