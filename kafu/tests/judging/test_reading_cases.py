"""Records in other spellings than Kafu's, and their verdicts."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kafu.importers import read_piece
from kafu.importers.notebook.sheet import read_notebook
from kafu.judging.verify import Verification, verify
from kafu.notation.stream.cut import cut
from kafu.notation.writer import identity
from shared import shared

#: Files of the shared cases with the text of a single game, with an expected row of each, or the
#: code of its fault.
FILES = {
    "11_minus_triangle": "pay month 1 -18 2 -56 3 +74",
    "15_name_fujogaki": "hand 1 IMQUYcgk",
    "17_name_water_iris": "hand 1 AEIQ",
    "20_name_numbered": "hand 1 ACEI",
    "21_bga_minus": "sheet-line-as-on-bga",
}
#: Files of the fresh try with their warnings. All are unfinished games.
FRESH_FILES = {
    "05a_date_iso": [],
    "05b_date_english": ["alias"],
    "05c_date_unknown_pgn": ["alias"],
    "05d_date_unknown": [],
    "06_keyword_capital": ["alias"] * 4,
    "08_name_replacement_character": ["damaged-text"],
    "11_tag_backslash_end": ["bad-escape"],
    "12_result_star": ["no-claim"],
}
#: Notebooks of the fresh try, with final sums or the code and the place of the fault.
FRESH_NOTEBOOKS: dict[str, tuple[int, int] | tuple[str, int, int]] = {
    "03_formula_without_value.xlsx": ("notebook-formula", 2, 2),
    "04_months_are_dates.xlsx": (8, 5),
    "09_notebook_percent_column.csv": (8, 5),
    "10_notebook_markdown_table.txt": (8, 5),
}
#: Records of cases/fresh-rules that were refused wrongly, and those of rulesets whose months are
#: proved to have cards (`kafu.rules.sheets.question`). The other records are impossible months.
REFUSED_WRONGLY = ("a-fuke-as-zero-sum", "b-ori-order-seats", "k-zero-sum")
PROVED = ("a-", "b-", "h-", "k-", "t-")
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
            if path.stem in REFUSED_WRONGLY or path.stem.startswith(PROVED)
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


def read_fresh(name: str) -> bytes:
    """Return a file of the fresh try, or skip the test without it."""
    path = shared("cases/fresh-files") / name
    if not path.exists():
        pytest.skip("../shared is not there")
    return path.read_bytes()


@pytest.mark.parametrize("name", FRESH_FILES)
def test_file_of_the_fresh_try_is_read_with_its_warnings(name: str) -> None:
    verdict = judged(read_fresh(f"{name}.kafu")).verdict
    assert (verdict.status, verdict.error) == ("unfinished", None)
    assert [warning.code.id for warning in verdict.warnings] == FRESH_FILES[name]


def test_decision_in_katakana_of_the_fresh_try_is_judged_as_in_hiragana() -> None:
    content = read_fresh("07_decision_katakana.kafu")
    verdicts = [
        judged(data).verdict for data in (content, content.replace("コイコイ".encode(), b"koikoi"))
    ]
    assert [(v.status, v.error and v.error.code.id) for v in verdicts] == [
        ("illegal", "decision-not-due")
    ] * 2


@pytest.mark.parametrize(
    "names", [("05a_date_iso", "05b_date_english"), ("05c_date_unknown_pgn", "05d_date_unknown")]
)
def test_spellings_of_a_date_in_the_fresh_try_are_one_game(names: tuple[str, str]) -> None:
    games = [judged(read_fresh(f"{name}.kafu")).game for name in names]
    assert len({identity(game) for game in games if game is not None}) == 1


@pytest.mark.parametrize("name", FRESH_NOTEBOOKS)
def test_notebook_of_the_fresh_try_has_its_sums_or_its_fault(name: str) -> None:
    options = {"profile": "koikoi-nintendo", "months": "3"}
    notebook = read_notebook(read_fresh(name), "koikoi", options)
    faults = [(fault.code.id, fault.line, fault.column) for fault in notebook.faults]
    final = notebook.verification and notebook.verification.verdict.final
    assert FRESH_NOTEBOOKS[name] in (final, *faults)


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
