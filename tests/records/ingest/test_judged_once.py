"""Each file of an upload is cut once, and each game in it is read and replayed once."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.test import override_settings

from kafu.judging.playthrough import Playthrough
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.stream import cut as cutting
from kafu.notation.writer import write
from lengths import part
from records.models import Chunk, Record, Submission
from records.texts import judged
from records.texts.pieces import extents_of
from tests.people.world import sent, user
from tests.records.jobs.test_worker import Worker, work_all
from tests.records.makers import (
    MALFORMED,
    illegal,
    joined,
    simulate_months,
    text,
    upload,
    with_wrong_score,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.usefixtures("without_facts")]


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the cut files, read pieces and replayed games."""
    calls: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        function = getattr(module, name)

        def counted(*arguments: Any, **more: Any) -> Any:
            calls[name] += 1
            return function(*arguments, **more)

        monkeypatch.setattr(module, name, counted)

    count(cutting, "peek")  # every search for boundaries looks at the first bytes
    count(judged, "read_piece")
    count(Playthrough, "of")
    return calls


def with_warnings(seed: int) -> str:
    """Return a game without captures and with an invalid date."""
    written = re.sub("x[A-Za-v]+", "", text(seed))
    return written.replace("[Player1", '[Date "some day"]\n[Player1', 1)


#: Inputs, made on demand, and their numbers of readable games.
GAMES: dict[str, tuple[Callable[[], list[str]], int]] = {
    "good": (lambda: [text(1), text(2), text(3)], 3),
    "errors": (lambda: [illegal(4), text(5), illegal(6)], 3),
    "mismatches": (lambda: [with_wrong_score(7), with_wrong_score(8)], 2),
    "warnings": (lambda: [with_warnings(9), with_warnings(10)], 2),
    "malformed": (lambda: [MALFORMED, text(11), MALFORMED], 1),
    "duplicates": (lambda: [text(12), with_wrong_score(12), text(12)], 3),
}


@pytest.mark.parametrize("kind", part([*GAMES], one_of=2))
@override_settings(CHUNK_GAMES=2)
def test_upload_is_cut_and_its_games_are_read_and_played_once(
    counts: Counter[str], kind: str
) -> None:
    make, readable = GAMES[kind]
    games = make()
    up = upload(joined(*games))
    work_all(Worker())
    assert up.progress()["state"] == "done"
    assert up.submissions.count() == len(games)
    assert counts == {"peek": 1, "read_piece": len(games), "of": readable}


def test_better_moves_of_another_sender_keep_the_comments_of_the_owner(
    counts: Counter[str],
) -> None:
    """The record gets the better moves and keeps the comments of its first owner."""
    first = with_wrong_score(13).replace("[Player1", '[Annotator "Aya"]\n[Player1', 1)
    sent(first, owner=user("aya"))
    counts.clear()
    sent(text(13), owner=user("ben"))
    record = Record.objects.get()
    assert record.status == "verified"
    assert '[Annotator "Aya"]' in record.text
    assert counts == {"peek": 1, "read_piece": 1, "of": 1}


@pytest.mark.parametrize(
    ("codec", "kind"),
    part([*product(("utf-8", "utf-16"), ("errors", "warnings", "mismatches"))], one_of=4),
)
def test_verdict_of_a_record_equals_that_of_its_own_text(kind: str, codec: str) -> None:
    """Compare it with the verification of the text, including lines and columns."""
    games = GAMES[kind][0]()
    up = upload(joined(*games).decode().encode(codec))
    work_all(Worker())
    for record in Record.objects.all():
        stored_verdict = verify(read(record.text), source=f"{record.key}.kafu").verdict.to_stored()
        assert record.verdict == judged_as_json(stored_verdict)
    for submission in up.submissions.filter(status="illegal"):
        assert submission.error is not None
        line = joined(*games).decode().split("\n")[submission.error["line"] - 1]
        assert submission.record is not None
        assert submission.record.verdict["error"]["line"] <= record_lines(submission)
        assert line.split()[0] in submission.record.text


def judged_as_json(form: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict as a column returns it, with lists instead of tuples."""
    return dict(json.loads(json.dumps(form)))


def record_lines(submission: Submission) -> int:
    """Return the number of lines of the record's text."""
    assert submission.record is not None
    return submission.record.text.count("\n")


def test_places_of_games_are_stored_in_few_bytes() -> None:
    upload(joined(*(text(seed) for seed in range(40, 60))))
    work_all(Worker())
    chunk = Chunk.objects.get()
    assert len(extents_of(chunk)) == 20
    assert len(chunk.extents) < 8 * 20


def test_note_like_json_belongs_to_the_game_after_it(counts: Counter[str]) -> None:
    """The format of a file is recognized by its beginning, not by the beginning of a piece."""
    noted = '\n\n{"b": "c"}\n' + write(simulate_months(14))
    with override_settings(CHUNK_GAMES=1):
        up = upload((text(15) + noted).encode())
        work_all(Worker())
    assert [submission.status for submission in up.submissions.order_by("number")] == [
        "verified",
        "verified",
    ]
    assert counts["of"] == 2
