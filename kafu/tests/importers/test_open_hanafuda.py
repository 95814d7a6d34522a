"""open-hanafuda-ai logs: recognised by content, converted, verified; real ones if available."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kafu import cards
from kafu.importers import open_hanafuda, read_piece
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.stream.cut import cut
from kafu.notation.writer import write
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from shared import shared
from turns import silent, spoken

LOGS = sorted(shared("data/open-hanafuda-ai").glob("*.log"))
WHO = ("P1", "CPU")
ENV = " (Env: P1=-4, CPU=515)"


def judged(data: bytes) -> list[Verdict]:
    return [verify(read_piece(piece)).verdict for piece in cut(io.BytesIO(data))]


def judge(text: str) -> Verdict:
    (verdict,) = judged(text.encode())
    return verdict


def ids(letters: str) -> str:
    return ",".join(str(cards.LETTERS.index(card) ^ 3) for card in letters)


def log_of(game: Game) -> str:
    """Return the log of a simulated game, including lines with the program's thoughts."""
    rounds = game.options.get("months", "12")
    rows = [f"Watch Start: P1=Normal CPU=Hard rounds={rounds} no_sake=0", "Watch Seed: 7"]
    rows.append("[CARD-INDEX] Jan: 0=KASU 1=KASU 2=TAN 3=GOKOU")
    totals = [0, 0]
    for month, deal in zip(game.months, stored_replay(game)["deals"], strict=True):
        assert month.field and month.stock and month.score
        number, first_hand, second_hand = month.month, month.hands[1], month.hands[2]
        rows += ["[Round Start]", f"[Initial] Round {number}"]
        rows.append(f"Floor: {ids(first_hand + second_hand + month.field + month.stock)}")
        rows.append(f"P1 (DOWN-SIDE) own: {ids(first_hand)}")
        rows.append(f"CPU (UP-SIDE) own: {ids(second_hand)} (Sake)")
        rows.append(f"Deck: {ids(month.stock[:8])}{ENV}")
        for n, turn in enumerate(month.turns):
            seat = month.dealer if n % 2 == 0 else 3 - month.dealer
            player = WHO[seat - 1]
            for part, (_, _, card, take, _) in zip(("drop", "floor"), silent(turn), strict=True):
                first = "think drop" if part == "drop" else "floor open"
                rows.append(f"[{player}] {first}: {ids(card)}{ENV}")
                rows.append(f"[{player}] {part} take: {ids(card + take) if take else 'n/a'}{ENV}")
            if spoken(turn) == ["koikoi"]:
                rows.append("KOIKOI: Yes")
                rows.append(
                    f"[Round {number}] {player} chooses KOIKOI (base=1, own_win_requires>1)"
                )
            rows.append(f"[AFTER-OPP] side={player} round={number}/12 after_opp_action=none")
        if spoken(turn) == ["shobu"]:
            lines = [
                line for line in deal["ledger"] if line["label"] not in ("bai", "koikoigaeshi")
            ]
            base, score = sum(max(line["amounts"]) for line in lines), max(month.score)
            totals[seat - 1] += score
            rows.append(
                f"[Round {number}] Winner={player} base={base} x{score // base} => +{score} "
                f"(reason=7+ and opponent_koikoi, Total P1={totals[0]} CPU={totals[1]})"
            )
            rows += [f"  - A yaku: with a name: {max(line['amounts'])}" for line in lines]
        else:
            rows.append(f"[Round {number}] Draw")
    rows += ["=====", f"Game Finished: rounds={rounds}"]
    rows.append(f"Final Score: P1={totals[0]} CPU={totals[1]}")
    is_drawn = totals[0] == totals[1]
    rows.append(f"Winner: {'Draw <n/a>' if is_drawn else f'{WHO[totals[1] > totals[0]]} <Normal>'}")
    return "\n".join([*rows, "=====", ""])


def simulate_without_redeals(seed: int, **options: str) -> Game:
    """Return a simulated game, which has no redeals, as the logs do not contain redeals."""
    game = simulate("koikoi", seed=seed, options={"profile": "koikoi-nintendo"} | options)
    assert not any(month.actions("redeal") for month in game.months)
    return game


GAME = simulate_without_redeals(10)
LOG = log_of(GAME)


def row_of(text: str, log: str = LOG) -> int:
    """Return the number of the first line with a text."""
    return 1 + log[: log.index(text)].count("\n")


def test_log_of_a_simulated_game_is_read_as_the_game() -> None:
    verdict = judge(LOG)
    assert (verdict.status, verdict.error, verdict.warnings) == ("verified", None, [])
    assert verdict.final == GAME.result
    (piece,) = cut(io.BytesIO(LOG.encode()))
    game = verify(read_piece(piece)).game
    assert game is not None
    assert game.players == ("P1 (Normal)", "CPU (Hard)")
    assert game.options == {"profile": "koikoi-nintendo"}
    assert game.tags == {"Source": open_hanafuda.NAME}
    game.players, game.tags, game.final = GAME.players, GAME.tags, GAME.final
    assert write(game) == write(GAME)


@pytest.mark.parametrize(
    "data",
    [
        LOG.replace("\n", "\r\n").encode(),
        LOG.replace("\n", "\r").encode(),
        LOG.encode("utf-8-sig"),
        LOG.encode("utf-16"),
        b"\n\n" + LOG.encode().rstrip(),
    ],
)
def test_log_with_any_line_ends_and_encoding_is_verified(data: bytes) -> None:
    (verdict,) = judged(data)
    assert verdict.status == "verified"


def test_fault_in_a_log_leaves_the_other_games_of_the_file_readable() -> None:
    kafu = write(GAME)
    mixed = "\n".join([kafu, LOG, LOG.replace("think drop", "thnk drop"), LOG, kafu])
    verdicts = judged(mixed.encode())
    assert [verdict.status for verdict in verdicts] == [
        "verified",
        "verified",
        "malformed",
        *["verified"] * 2,
    ]
    assert verdicts[2].error is not None
    assert verdicts[2].error.line == (kafu + "\n" + LOG + "\n").count("\n") + row_of("drop take")


HEAD = LOG.splitlines()[0]
OLD_HEAD = HEAD.replace("no_sake=0", "seed=1772851282")
REASONING = """Thinking...
drop[0] card=4 value=-553296 (score=56 keep=-60:caution cap=0/0/0)
[month-lock] month=4 own=3 known=3 hidden=1 hidden_card=15 reason=take_control
Priority-Speed:
- Kasu: reach=84, delay=6, score=1
Think End
"""


def make_old_log(log: str) -> str:
    """Return a log as versions of March 2026 wrote it: a seed in its head, and reasoning."""
    log = log.replace(HEAD, OLD_HEAD).replace("Watch Seed: 7\n", "").replace(" (Sake)", "")
    extra = " seed=1772851282 round=1/12 turn=1 dealer=P1 <M pre_best=2/-1 best_take=13,12>"
    return re.sub(r"(\[CPU\] think drop: [0-9]+)", rf"{REASONING}\1{extra}", log)


def test_log_of_an_old_version_is_read_with_one_warning() -> None:
    log = make_old_log(LOG)
    verdict = judge(log)
    assert (verdict.status, verdict.error, verdict.final) == ("verified", None, GAME.result)
    (warning,) = verdict.warnings
    assert (warning.code.id, warning.line) == ("foreign-log-skipped", row_of("Thinking", log))
    assert warning.values["count"] == log.count("Thinking") * REASONING.count("\n")


@pytest.mark.parametrize("head", [HEAD.removesuffix(" no_sake=0"), OLD_HEAD])
def test_head_without_rules_and_seed_is_read(head: str) -> None:
    verdict = judge(LOG.replace(HEAD, head).replace("Watch Seed: 7\n", ""))
    assert (verdict.status, verdict.warnings) == ("verified", [])


DRAWN_LOG = log_of(simulate_without_redeals(19, months="1"))


def test_drawn_game_is_verified() -> None:
    verdict = judge(DRAWN_LOG)
    assert (verdict.status, verdict.final) == ("verified", (0, 0))


@pytest.mark.parametrize(
    ("log", "winner"),
    [(LOG, "Draw <n/a>"), (DRAWN_LOG, "P1 <Normal>"), (LOG, "Nobody <n/a>")],
)
def test_winner_that_contradicts_the_totals_is_malformed(log: str, winner: str) -> None:
    verdict = judge(re.sub("(?m)^Winner: .*", f"Winner: {winner}", log))
    assert verdict.error is not None
    assert (verdict.error.code.id, verdict.error.line) == (
        "bad-foreign-log",
        row_of("\nWinner: ", log) + 1,
    )


def test_text_that_resembles_a_log_is_read_as_kafu() -> None:
    for text in ("Watch out\n", "[CARD] x\n", "; Watch Start: P1=\n" + write(GAME)):
        (piece,) = cut(io.BytesIO(text.encode()))
        assert not open_hanafuda.recognises(piece.text())


def test_wrong_end_total_is_a_mismatch() -> None:
    assert GAME.result
    first = GAME.result[0]
    verdict = judge(LOG.replace(f"Score: P1={first} ", f"Score: P1={first + 1} "))
    assert verdict.status == "mismatch"
    assert [(mismatch.where, mismatch.seat) for mismatch in verdict.mismatches] == [("result", 1)]


def test_wrong_score_is_a_mismatch() -> None:
    verdict = judge(re.sub(r"=> \+(\d+)", "=> +1\\1", LOG, count=1))
    assert verdict.status == "mismatch"
    assert {mismatch.where for mismatch in verdict.mismatches} == {"score"}


@pytest.mark.parametrize("options", [{"months": "2"}, {"hanami": "0", "tsukimi": "0"}])
def test_head_of_a_log_is_read_as_house_options(options: dict[str, str]) -> None:
    head = LOG.splitlines()[0]
    changed = head.replace("12", "2") if "months" in options else head.replace("sake=0", "sake=1")
    (piece,) = cut(io.BytesIO(LOG.replace(head, changed).split("[Initial] Round 2")[0].encode()))
    game = read_piece(piece).game
    assert game is not None
    assert game.options == {"profile": "koikoi-nintendo"} | options


def test_log_cut_off_between_turns_is_unfinished() -> None:
    whole = [match.start() for match in re.finditer(r"\[AFTER-OPP\]", LOG)]
    assert judge(LOG[: whole[20]]).status == "unfinished"
    assert judge(LOG.split("[Initial] Round 4")[0]).status == "unfinished"


def test_log_cut_off_within_a_turn_is_malformed_at_that_turn() -> None:
    verdict = judge(LOG[: LOG.index("floor open")].rpartition("\n")[0])
    assert verdict.error is not None
    assert (verdict.status, verdict.error.line) == ("malformed", row_of("drop take"))
    assert verdict.error.values["due"] == "floor open: …"


FLOOR = next(row for row in LOG.splitlines() if row.startswith("Floor"))
OWN = next(row for row in LOG.splitlines() if row.startswith("P1 ("))
MOVER = WHO[GAME.months[0].dealer - 1]
OTHER = WHO[2 - GAME.months[0].dealer]

WON = LOG[LOG.index("Winner=") : LOG.index("=", LOG.index("base=", LOG.index("Winner="))) + 1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rounds=12", "rounds=49"),
        ("no_sake=0", "no_sake=?"),
        ("P1=Normal", "P1=" + "x" * 41),
        ("[Initial] Round 2", "[Initial] Round 3"),
        ("[Initial] Round 2", "[Initial] Round two"),
        (FLOOR, FLOOR.rpartition(",")[0]),
        (FLOOR, FLOOR + ",48"),
        (FLOOR, FLOOR[:7] + "x" + FLOOR[7:]),
        (OWN, OWN.rpartition(",")[0]),
        (f"[{MOVER}] drop take", f"[{OTHER}] drop take"),
        (f"[{MOVER}] floor open: ", f"[{MOVER}] floor open: 9"),
        ("Winner=", "Winner=X"),
        (WON, WON + "1"),
        ("[Round 1]", "[Round 9]"),
        ("Game Finished: rounds=12", "Game Finished: rounds=11"),
        ("Final Score: P1=", "Final Score: P1=x"),
        ("Total P1=", "Total P1=9"),
    ],
)
def test_log_with_a_changed_format_is_malformed_at_the_changed_line(old: str, new: str) -> None:
    verdict = judge(LOG.replace(old, new, 1))
    assert verdict.status == "malformed"
    assert verdict.error is not None
    assert verdict.error.code.id == "bad-foreign-log"
    assert verdict.error.line == row_of(old)
    assert f"line {verdict.error.line} " in verdict.error.message()


def test_yaku_that_do_not_add_up_are_malformed_at_their_line() -> None:
    verdict = judge(LOG.replace("with a name: ", "with a name: 9", 1))
    assert verdict.error is not None
    assert (verdict.error.code.id, verdict.error.line) == ("bad-foreign-log", row_of("Winner="))


def test_card_that_occurs_twice_is_illegal_at_its_line() -> None:
    first, second = FLOOR[7:].split(",")[:2]
    verdict = judge(LOG.replace(FLOOR, FLOOR.replace(f" {first},", f" {second},")).replace(OWN, ""))
    assert verdict.error is not None
    assert (verdict.error.code.id, verdict.error.line) == ("card-twice", row_of(FLOOR))


def test_wrong_capture_is_illegal_at_its_line() -> None:
    row = next(row for row in LOG.splitlines() if re.search("floor take: [0-9]", row))
    card = re.findall("[0-9]+", row.partition("take")[2])[0]
    verdict = judge(LOG.replace(row, f"{row.partition('take')[0]}take: {card},{card}", 1))
    assert verdict.error is not None
    assert (verdict.status, verdict.error.code.id) == ("illegal", "capture-wrong")
    assert verdict.error.line == row_of(row) - 1


@given(
    st.integers(0, LOG.count("\n")),
    st.sampled_from(["drop", "double", "swap", "digits", "cut", "junk"]),
    st.text(max_size=8) | st.sampled_from(["9" * 5000, "[Round 1] ", "Floor: ", "\x00", "\ufeff"]),
)
@example(1, "digits", "9" * 5000)
def test_log_with_a_changed_line_neither_raises_nor_has_another_result(
    at: int, how: str, text: str
) -> None:
    """A changed line is never accepted with another result."""
    rows = LOG.split("\n")
    change = {
        "drop": [],
        "double": [rows[at]] * 2,
        "swap": rows[at : at + 2][::-1],
        "digits": [re.sub("[0-9]+", lambda _: text, rows[at])],
        "cut": [rows[at][: len(rows[at]) // 2] + text],
        "junk": [text, rows[at]],
    }[how]
    skip = 2 if how == "swap" else 1
    data = "\n".join([*rows[:at], *change, *rows[at + skip :]])
    for verdict in judged(data.encode("utf-8", "surrogatepass")):
        verdict.to_json("ja")
        if verdict.status == "verified":
            assert verdict.final == GAME.result


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_real_log_has_its_listed_scores_totals_and_yaku(path: Path) -> None:
    log = path.read_text(encoding="utf-8")
    verdict = judge(log)
    assert (verdict.status, verdict.error, verdict.mismatches) == ("verified", None, [])
    rounds = log.split("[Round Start]\n")[1:]
    assert len(rounds) == len(verdict.deals) == 12
    totals = (0, 0)
    for text, deal in zip(rounds, verdict.deals, strict=True):
        totals = (totals[0] + deal.score[0], totals[1] + deal.score[1])
        lines = [line for line in deal.ledger if line.label not in ("bai", "koikoigaeshi")]
        values = re.findall(r"^  - .*: (\d+)$", text, re.MULTILINE)
        assert sorted(max(line.amounts) for line in lines) == sorted(map(int, values))
        won = re.search(r"Winner=(P1|CPU) .* => \+(\d+) \(.*Total P1=(\d+) CPU=(\d+)\)", text)
        if won is None:
            assert (deal.end, deal.score) == ("nagare", (0, 0))
            continue
        assert deal.winner == WHO.index(won[1]) + 1
        assert max(deal.score) == int(won[2])
        assert totals == (int(won[3]), int(won[4]))
    assert verdict.final == totals
