"""Invariants for any bytes, checked on small inputs that fuzzing found, one for each fault code.

A target takes bytes, raises AssertionError (or any other error) for a violated invariant, and
returns words that describe the result: codes of faults and verdicts.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from itertools import islice
from typing import BinaryIO, Final, cast

from kafu.archives import Broken, Ended, Leaf, Limits, leaves
from kafu.importers import read_piece
from kafu.judging.position import position
from kafu.judging.replay import stored_replay
from kafu.judging.verify import Verification, verify
from kafu.notation.json.form import from_json, to_json
from kafu.notation.reading.reader import read
from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Piece, piece_at
from kafu.notation.writer import identity, write
from kafu.rules.rulesets import Unsupported
from records.services.repairs import leave_out, put_in
from tests.conftest import ROOT

#: Maximum number of examined pieces of an input: more pieces find nothing new and cost time.
PIECES: Final = 8
#: Faults in text that the canonical form omits: round numbers, and seats before turns.
NOT_WRITTEN: Final = ("wrong-round", "wrong-seat")
LIMITS: Final = Limits(members=100, member_bytes=1 << 22, total_bytes=1 << 23, ratio=250)


def games(data: bytes) -> frozenset[str]:
    """Check a file: cut, read (Kafu, JSON, foreign logs), replay, write and read it again."""
    traits: set[str] = set()
    offset = 0
    for piece in cut(io.BytesIO(data)):
        assert piece.offset == offset, "pieces do not tile the file"
        offset += piece.length
        if piece.number <= PIECES:
            traits |= _judge(piece, data)
    assert offset == len(data), "pieces do not tile the file"
    return frozenset(traits)


def _judge(piece: Piece, data: bytes) -> set[str]:
    assert piece_at(io.BytesIO(data), piece) == piece, "a piece read again is another"
    verification = verify(read_piece(piece))
    verdict = verification.verdict
    traits = {verdict.status, *(warning.code.id for warning in verdict.warnings)}
    if verdict.error is not None:
        traits.add(verdict.error.code.id)
    for lang in ("en", "ja"):
        verdict.to_json(lang)
    if verification.game is not None:
        _check_round_trip(verification)
    return traits


def _check_round_trip(verification: Verification) -> None:
    """Check that a game can be written and read again unchanged, and that pages can show it."""
    game = verification.game
    assert game is not None
    reading = read(verification.text)
    assert reading.game is not None, reading.fault
    assert write(reading.game) == verification.text, "canonical text is not"
    assert identity(reading.game) == verification.verdict.identity, "identity changes on the way"
    from_json_again = from_json(to_json(game))
    assert from_json_again.game is not None, from_json_again.fault
    assert write(from_json_again.game) == verification.text, "JSON is another game"
    second = verify(reading)
    fault = verification.verdict.error
    if fault is None or fault.code.id not in NOT_WRITTEN:
        assert second.text == verification.text, "a canonical text is replayed into another"
        assert second.verdict.status == verification.verdict.status, (
            "canonical text, another verdict"
        )
    try:
        stored_replay(game)
    except Unsupported:
        pass  # The verdict says the same.
    error = second.verdict.error
    place = position(second.game) if error is not None and second.game is not None else None
    if error is not None and place is not None:
        place.to_json()
        for option in islice(place.legal, 3):
            put_in(verification.text, error.line, error.column, option)
        leave_out(verification.text, error.line, error.column, place.omit)


def archives(data: bytes) -> frozenset[str]:
    """Check the limits of unpacking, and compare seekable with streamed reading; return results."""
    seekable = _unpack(io.BytesIO(data))
    streamed = _unpack(_Pipe(data))
    assert seekable == streamed, "an archive is another where it cannot seek"
    return frozenset(result for _name, result in seekable)


class _Pipe(io.BytesIO):
    """A file that returns small pieces and is not seekable."""

    def seekable(self) -> bool:
        return False

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size, 1000) if size is not None and size >= 0 else size)


def _unpack(stream: io.BytesIO) -> list[tuple[str, str]]:
    """Return each file's name and result: "sound", or the code of its fault."""
    results: list[tuple[str, str]] = []
    total = 0
    for leaf in leaves(cast(BinaryIO, stream), "upload", LIMITS):
        assert not any(part in ("", ".", "..") for part in leaf.name.split("/")), leaf.name
        assert leaf.name.isprintable() or not leaf.name.isascii(), leaf.name
        size, fault = _read_size(leaf)
        total += size
        results.append((leaf.name, fault or "sound"))
    assert len(results) <= LIMITS.members + 1, "more files than are allowed"
    # The files read before a nested archive was refused count in the result of the nested archive.
    assert total <= LIMITS.total_bytes + (1 << 16), "more bytes than are allowed"
    return results


def _read_size(leaf: Leaf) -> tuple[int, str]:
    if leaf.fault is not None:
        return 0, leaf.fault.code.id
    count = 0
    try:
        while data := leaf.stream.read(1 << 14):
            count += len(data)
    except Ended as ended:
        return count, ended.fault.code.id
    except Broken as broken:
        return count, broken.fault.code.id
    return count, ""


TARGETS: Final[Mapping[str, Callable[[bytes], frozenset[str]]]] = {
    "games": games,
    "archives": archives,
}
CASES: Final = sorted((ROOT / "tests/cases/fuzz").glob("*/*"))


def test_inputs_found_by_fuzzing_have_their_codes() -> None:
    for path in CASES:
        assert path.name in TARGETS[path.parent.name](path.read_bytes()), path


def test_every_target_has_cases() -> None:
    assert {path.parent.name for path in CASES} == set(TARGETS)
