"""The progress of an upload as server-sent events."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from api.authentication import viewer_of
from api.openapi import schema_of
from api.renderers import EventStreamRenderer
from api.serializers.uploads import UploadSerializer
from api.views.base import LANG, Resource, problem_responses
from api.views.uploads import SECRET_HEADER, get_upload
from kafu.notation.json_types import OneOf
from people.models import READ, UPLOAD
from records.base.labels import lang
from records.ingest import reports
from records.models import Job
from records.privacy.access import Viewer
from records.serving import downloads
from records.serving.senders import sender_of

#: Seconds between two queries of the progress, between keep-alive comments, and of a whole stream.
LOOK_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 15.0
STREAM_SECONDS: Final = 60.0
#: Reconnection delay in milliseconds after a full stream, and after a stream without room.
AGAIN_MS: Final = 1_000
LATER_MS: Final = 3_000
#: The id of the last event. A reader that sends it gets 204, and does not reconnect.
DONE: Final = "done"
LAST_EVENT: Final = "Last-Event-ID"


class UploadEvent(TypedDict):
    """A server-sent event about an upload, field by field."""

    event: Annotated[str, OneOf("Event", ("progress", "done"))]
    data: Annotated[str, "JSON on one line: the upload, or for `done` an object with `report_url`."]
    id: NotRequired[Annotated[str, "`done`, only in the last event."]]


class UploadEvents(Resource):
    """Server-sent events about the progress of an upload.

    A stream occupies a thread of the web server, so the number of streams is limited and each
    lasts at most a minute. No reader is refused, because a browser's `EventSource` gives up after
    a 503 but reconnects after a stream that ended. Without a free place a stream ends after one
    event.
    """

    renderer_classes = (EventStreamRenderer,)
    scopes = (READ, UPLOAD)

    @extend_schema(
        operation_id="uploads_events",
        summary="The progress of an upload as server-sent events",
        description=(
            "Sends an event `progress` with the upload in the form of `uploads_retrieve`, "
            "immediately and after every change, with comments in between. An event `done` with "
            "`report_url` is the last. A stream may end earlier: reconnect after `retry` "
            "milliseconds, as `EventSource` does, and the current state is sent again. With "
            f"`{LAST_EVENT}: {DONE}` the response is 204 if nothing has changed since."
        ),
        parameters=[
            LANG,
            SECRET_HEADER,
            OpenApiParameter(
                LAST_EVENT,
                str,
                OpenApiParameter.HEADER,
                description="Sent by `EventSource` itself.",
            ),
        ],
        responses={
            (200, EventStreamRenderer.media_type): schema_of(UploadEvent),
            204: None,
            **problem_responses(400, 404, 406),
        },
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Stream the events as they happen."""
        upload = get_upload(request, key)
        viewer = viewer_of(request)
        if request.headers.get(LAST_EVENT) == DONE and is_over(_load_state(key, viewer, lang())):
            return HttpResponse(status=204)
        # The language is passed on, because the request has ended when the events are sent.
        events = (
            iter(())
            if request.method == "HEAD"
            else _stream_events(upload.key, viewer, lang(), sender_of(request))
        )
        kind = f"{EventStreamRenderer.media_type}; charset=utf-8"
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingHttpResponse(events, content_type=kind, headers=headers)


def is_over(state: dict[str, Any] | None) -> bool:
    """Return whether an upload needs no more events.

    The upload is read and the visibility is applied to all games, or the upload was deleted.
    """
    if state is None:
        return True
    change = state["change"]
    return state["state"] == "done" and (change is None or change["state"] not in Job.OPEN)


def _stream_events(key: str, viewer: Viewer, language: str, sender: str) -> Iterator[bytes]:
    with downloads.room(sender) as is_room:
        began = last_sent = time.monotonic()
        yield f"retry: {AGAIN_MS if is_room else LATER_MS}\n\n".encode()
        previous = None
        while (state := _load_state(key, viewer, language)) is not None:
            now = time.monotonic()
            if state != previous:
                yield _format_event("progress", state)
                previous, last_sent = state, now
            elif now - last_sent >= HEARTBEAT_SECONDS:
                yield b": still here\n\n"
                last_sent = now
            if is_over(state):
                yield _format_event("done", {"report_url": state["report_url"]}, DONE)
                return
            if not is_room or now - began >= STREAM_SECONDS or not downloads.pause(LOOK_SECONDS):
                return


def _load_state(key: str, viewer: Viewer, language: str) -> dict[str, Any] | None:
    """Return the current upload, or None if the viewer may no longer see it."""
    upload = reports.uploads(viewer).filter(key=key).first()
    if upload is None:
        return None
    with translation.override(language):
        return UploadSerializer(upload).data


def _format_event(name: str, data: dict[str, Any], id: str = "") -> bytes:
    lines = [f"id: {id}"] if id else []
    lines += [f"event: {name}", f"data: {json.dumps(data, ensure_ascii=False)}"]
    return ("\n".join(lines) + "\n\n").encode()
