"""Records in other spellings than Kafu's, and their verdicts."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.notation.stream.cut import cut
from shared import shared

#: Files of the shared cases that are texts of one game, with a row of each as it is to be read, or
#: the code of its fault.
FILES = {
    "11_minus_triangle": "pay month 1 -18 2 -56 3 +74",
    "15_name_fujogaki": "hand 1 IMQUYcgk",
    "17_name_water_iris": "hand 1 AEIQ",
    "20_name_numbered": "hand 1 ACEI",
    "21_bga_minus": "sheet-line-as-on-bga",
}
#: Records of cases/fresh-rules that were refused wrongly; the other records are months that no
#: cards can make.
REFUSED_WRONGLY = (*("a-fuke-as-zero-sum", "b-ori-order-seats", "k-zero-sum"),)
SHEET = (
    '[Kafu "1"]\n[Rules "hachihachi-bga"]\n[Sheet "1"]\n[Termination "unfinished"]\n'
    '[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n\nmonth 1 dealer 1\n'
)


def judged(content: bytes) -> Verification:
    """Return the verdict on the only game of a file."""
    (piece,) = cut(io.BytesIO(content))
    return verify(read_piece(piece))


@pytest.mark.parametrize(
    "path",
    [
        *sorted(shared("cases/reading").glob("*.kafu")),
        *(
            path
            for path in sorted(shared("cases/fresh-rules").glob("*.kafu"))
            if path.stem in REFUSED_WRONGLY
        ),
    ],
    ids=lambda path: path.stem,
)
def test_shared_record_has_its_right_verdict(path: Path) -> None:
    expected: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    judgement = judged(path.read_bytes())
    verdict = judgement.verdict.to_json()
    assert verdict["status"] == expected["status"]
    for claim in expected.get("mismatches", ()):
        assert any(claim.items() <= mismatch.items() for mismatch in verdict["mismatches"])
    if "error" in expected:
        assert expected["error"].items() <= verdict["error"].items()
    if "letters" in expected:
        assert f"\n{expected['letters']}\n" in judgement.text


@pytest.mark.parametrize("name", FILES)
def test_shared_file_is_read_as_its_writer_meant_it(name: str) -> None:
    path = shared("cases/files") / f"{name}.kafu"
    if not path.exists():
        pytest.skip("../shared is not there")
    judgement = judged(path.read_bytes())
    error = judgement.verdict.error
    assert f"\n{FILES[name]}\n" in f"{judgement.text}\n" or (error and error.code.id == FILES[name])


@pytest.mark.parametrize(
    ("pay", "code", "expected"),
    [
        ("pay month 1 +5 2 -1k7 3 0", "sheet-line-as-on-bga", ["+5", "-5", "0"]),
        ("pay month 1 +10 2 -1k7 3 -1k7", "sheet-line-as-on-bga", ["+10", "-5", "-5"]),
        ("pay month 1 +6 2 -1k7 3 0", "sheet-line-as-on-bga", []),
        ("pay month 1 +5 2 -2k 3 0", "sheet-line-not-zero", []),
        ("pay month 1 +5 2 -1貫7文 3 0", "ambiguous-amount", ["-1k7", "-5"]),
    ],
)
def test_debt_as_bga_shows_it_has_a_hint(pay: str, code: str, expected: list[str]) -> None:
    error = judged(f"{SHEET}{pay}\n".encode()).verdict.to_json()["error"]
    assert (error["code"], error["line"], error["expected"]) == (code, 10, expected)
