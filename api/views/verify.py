"""Verification of games, single or as NDJSON, without storing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import (
    BytesParser,
    JsonParser,
    KafuJsonParser,
    KafuParser,
    NdjsonParser,
    PlainTextParser,
)
from api.problems import NOTHING, ONE_GAME, TOO_LARGE, Problem
from api.renderers import JsonRenderer, NdjsonRenderer
from api.views.base import BodyResource, body_schemas, document, make_file_view
from api.views.export import stream
from kafu.judging.position import Position
from kafu.notation.stream.extent import Piece
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.verdict import Verdict
from people.models import READ, UPLOAD
from records.base import labels
from records.services.verification import (
    cut_games,
    describe_too_costly,
    verify_game,
    verify_single,
)
from records.serving.computing import TooCostly, compute
from records.serving.downloads import pause
from records.serving.gates import RequestRefused
from records.serving.limits import Account, Limit, account_of, expensive, take_turn
from records.shapes.shape import to_json_line

PARSERS: Final = (
    KafuParser,
    KafuJsonParser,
    JsonParser,
    NdjsonParser,
    PlainTextParser,
    BytesParser,
)
_PROBLEMS: Final = (413, 415, 422, 429, 503)
#: Maximum bytes and games of a request; the maximum takes a few seconds.
MAX_BYTES: Final = 8 << 20
MAX_GAMES: Final = 2_000


@dataclass
class Check(Verdict):
    """A verdict, and the place of the fault of an illegal game."""

    position: Position | None = None


def compute_single(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a function of a single game, computed on ``arguments``.

    The function returns None for more than one game. Raise Problem.
    """
    result = compute(function, *arguments)
    if result is None:
        raise Problem(ONE_GAME, _("This is more than one game; send several games as an upload."))
    return result


def require_game(data: bytes) -> bytes:
    """Return a body that is not blank; raise Problem."""
    if not data.strip():
        raise Problem(NOTHING, _("Send one game."))
    return data


def _cut_games(data: bytes) -> list[Piece]:
    """Return the games in a body; raise Problem for none or more than `MAX_GAMES`."""
    if not data.strip():
        raise Problem(NOTHING, _("Send one game or more."))
    pieces = compute(cut_games, data, MAX_GAMES + 1)
    if len(pieces) > MAX_GAMES:
        text = _("At most %(most)d games can be verified at once.") % {"most": MAX_GAMES}
        raise Problem(TOO_LARGE, text, limit=MAX_GAMES)
    return pieces


def _verdict_lines(pieces: Sequence[Piece], account: Account, lang: str) -> Iterator[bytes]:
    """Yield a verdict per line in ``lang``, because the request ends before streaming.

    Each game waits for its turn, and for the sender's budget, like a request of its own.
    """
    for piece in pieces:
        while True:
            try:
                with take_turn("verify", account), translation.override(lang):
                    verdict = compute(verify_game, piece)
                break
            except TooCostly as error:
                with translation.override(lang):
                    verdict = describe_too_costly(piece, error.seconds)
                break
            except RequestRefused as refused:
                if not pause(refused.again):
                    return
        yield to_json_line(verdict).encode()


class Verify(BodyResource):
    """Verdicts on one game, or on each of many."""

    parser_classes = PARSERS
    renderer_classes = (JsonRenderer, NdjsonRenderer)
    body_limit = Limit(lambda: MAX_BYTES)
    throttle_scope = "verify"
    scopes = (READ, UPLOAD)

    @document(
        "verify",
        "Verify games; nothing is stored",
        Check,
        description=(
            "The response is 200 with any verdict, and 400 only if the body is not exactly one "
            f"game of at most {MAX_GAME_BYTES} bytes."
        ),
        request=body_schemas(PARSERS),
        problems=(406, *_PROBLEMS),
    )
    def post(self, request: Request) -> Any:
        """Return the verdict of verdict.md with the place of the fault, or one per line."""
        is_many = isinstance(request.accepted_renderer, NdjsonRenderer)
        data = b""
        for part in self.parts(request, MAX_BYTES if is_many else MAX_GAME_BYTES):
            data = b"".join(part.chunks)
        if is_many:
            with expensive(request._request, "verify"):
                pieces = _cut_games(data)
            lines = _verdict_lines(pieces, account_of(request), labels.lang())
            return stream(request, lines, "verdicts", group=None)
        with expensive(request._request, "verify"):
            return Response(compute_single(verify_single, require_game(data)))


VerifyNdjson: Final = make_file_view(
    Verify,
    NdjsonRenderer,
    "verify",
    "Verify many games; nothing is stored",
    Check,
    method="post",
    description=(
        f"The body has up to {MAX_GAMES} games in {MAX_BYTES} bytes. The response has a verdict "
        "per line, sent when it is computed; `game` and `line` are the place of the game."
    ),
    request=body_schemas(PARSERS),
    problems=_PROBLEMS,
)
