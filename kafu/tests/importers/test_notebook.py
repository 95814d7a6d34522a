"""Score notebooks as people write them: readable score sheets, and faults with their cells."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kafu
from kafu.importers import read_piece
from kafu.importers.notebook.sheet import Notebook, convert, read_notebook, read_rows
from kafu.importers.notebook.table import MAX_ROWS, Rows, read_table, write_table
from kafu.importers.notebook.words import amount_of
from kafu.notation.faults import Malformed
from kafu.notation.game import Game
from kafu.notation.stream.cut import single
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import Verdict
from lengths import LONG

#: A table with winner and yaku of each month in addition to the points.
KEPT = "月,勝者,親,Aya,Ben,役\r\n1,Aya,Aya,7,0,赤短\r\n2,Ben,Aya,0,5,くさ\r\n".encode()


class Sample(NamedTuple):
    """A notebook with its ruleset, and the sheet's months: dealer, grade and amounts."""

    text: str | bytes
    rules: str
    months: list[tuple[int, str | None, tuple[int, ...]]]
    options: Mapping[str, str] = MappingProxyType({})
    players: tuple[str, ...] = ("Aya", "Ben")
    status: str = "unfinished"


AYA_BEN_CHIE = ("Aya", "Ben", "Chie")
SAMPLES = {
    "export of a spreadsheet with a byte order mark": Sample(
        "\ufeff月,Aya,Ben\r\n1月,7,0\r\n2月,0,5\r\n".encode(),
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "Japanese head, winner, dealer and yaku in Shift_JIS": Sample(
        "月,勝者,親,あや,勉,役\r\n一月,あや,あや,７,,赤短\r\n二月,勉,あや,,５,くさ\r\n".encode(
            "cp932"
        ),
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        players=("あや", "勉"),
    ),
    "tabs in UTF-16, as Excel names Unicode text": Sample(
        "Month\tAya\tBen\r\nJan\t7\t\r\nFeb.\t\t5\r\nMarch\t3\t0\r\n".encode("utf-16"),
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5)), (2, None, (3, 0))],
    ),
    "semicolons, a title, a date column, no months": Sample(
        "Club night;;\n;;\nDate;Aya;Ben\n2026-02-03;7;0\n2026-02-03;0;5\nTotal;7;5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "total row and column, months without a head, a draw": Sample(
        ",Aya,Ben,計\n1,7,-,7\n2,0,0,0\n2,0,5,5\n合計,7,5,12\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5))],
    ),
    "plants of the months, a line of words below": Sample(
        "月,Aya,Ben\n1月（松）,7,0\n2月 梅,0,5\n※ 雨流れあり,,\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "months side by side": Sample(
        "得点,1月,2月,3月,合計\nAya,7,0,3,10\nBen,0,5,0,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5)), (2, None, (3, 0))],
    ),
    "a house in which nobody plays a draw again, months not played yet": Sample(
        "月,Aya,Ben\n1,6,0\n2,,\n3,0,4\n4,,\n5,,\n",
        "koikoi",
        [(1, None, (6, 0)), (1, None, ()), (2, None, (0, 4))],
        {"profile": "koikoi-nintendo"},
    ),
    "a season won whole, its prize in the sum": Sample(
        "月,Aya,Ben\n1,9,0\n2,5,0\n3,14,0\n",
        "koikoi",
        [(1, None, (9, 0)), (1, None, (5, 0)), (1, None, (14, 0))],
    ),
    "a game to its end": Sample(
        "月,Aya,Ben\n1,7,0\n2,0,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        {"months": "2"},
        status="consistent",
    ),
    "kan, all signs, grades and stones": Sample(
        "月 場 親 Aya Ben Chie 月石\n睦月 大場 Aya 2貫 ▲1貫 (1貫) Ben\n"
        "如月 小 Ben −1貫6 2貫 -6 Ben\n弥生 - 2 +1k △６ 6- Aya\n".replace(" ", "\t"),
        "hachihachi",
        [
            (1, "large", (24, -12, -12)),
            (2, "small", (-18, 24, -6)),
            (2, None, (12, -6, -6)),
        ],
        players=AYA_BEN_CHIE,
    ),
    "four of seven at the table play": Sample(
        "月,親,A,B,C,D,E,F\n1,A,24,-12,-12,,,\n2,C,,36,,-18,-18,0\n",
        "hachihachi-bga",
        [(1, None, (24, -12, -12, 0, 0, 0)), (3, None, (0, 36, 0, -18, -18, 0))],
        players=tuple("ABCDEF"),
    ),
    "seven players, two of them called as months are": Sample(
        "回,親,May,B,C,D,E,F,June\n第1回,June,10,-20,,,,,10\n第2回,June,,,5,-5,,,\n",
        "ten-five-one",
        [(7, None, (10, -20, 0, 0, 0, 0, 10)), (7, None, (0, 0, 5, -5, 0, 0, 0))],
        players=("May", "B", "C", "D", "E", "F", "June"),
    ),
    "marks of the dealer, one amount left out": Sample(
        "月,Aya,Ben,Chie\n1,◎12,-6,\n2,-24親,0,24\n",
        "hanaawase",
        [(1, None, (12, -6, -6)), (1, None, (-24, 0, 24))],
        players=AYA_BEN_CHIE,
    ),
    "fuke in place of points": Sample(
        "月,Aya,Ben,Chie\n1,12,-6,-6\n2,,ふけ,\n3,-20,20,0\n",
        "hanaawase",
        [(1, None, (12, -6, -6)), (1, None, (0, 0, 0)), (2, None, (-20, 20, 0))],
        players=AYA_BEN_CHIE,
    ),
    "winner and points of each month": Sample(
        "月,勝者,文\n1月,Aya,七\n2月,No winner,\n2月,Ben,5\n3月,,〇\n合計,,12\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5)), (2, None, ())],
    ),
    "winner, loser and points": Sample(
        "月,勝者,敗者,点数,会場\n1月,文,勉,7,家\n2月,文,勉,5,家\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (5, 0))],
        players=("文", "勉"),
    ),
    "winner and points, the dealer in short": Sample(
        "月,勝者,親,文\n1月,Aya,A,7\n2月,Ben,A,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "a table in Markdown": Sample(
        "| 月 | **Aya** | Ben |\n|---|:-:|---|\n| 1月 | 7 | 0 |\n| 2月 | 0 | 5 |\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "a table in Markdown without a frame": Sample(
        "```\n月 | Aya | Ben\n---|---|---\n1 | 7 | 0\n2 | 0 | 5\n```\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "a drawn table": Sample(
        "┌──┬───┬───┐\n│月│Aya│Ben│\n├──┼───┼───┤\n│1 │ 7 │ 0 │\n│2 │ 0 │ 5 │\n└──┴───┴───┘\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "full-width commas and a name that is a number": Sample(
        "月，千，勉\n1月，７，０\n2月，０，５\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        players=("千", "勉"),
    ),
    "bars in remarks": Sample(
        "月,Aya,Ben,備考\n1,7,0,a|b\n2,0,5,c|d\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "shares, times and places": Sample(
        "月,Aya,Ben,勝率,時,順\n1,7,0,100%,15分,1位\n2,0,5,50％,9分,2位\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    **{
        f"months as {first}": Sample(
            f"月,Aya,Ben\n{first},7,0\n{second},0,5\n",
            "koikoi",
            [(1, None, (7, 0)), (1, None, (0, 5))],
        )
        for first, second in (
            ("2026-01-01", "2026-02-01"),
            ("2026/1/1", "2026/2/1"),
            ("2026年1月1日", "2026年2月1日"),
            ("1月1日", "2月1日"),
            ("1/1", "2/1"),
            ("Jan-26", "Feb-26"),
            ("1-Jan", "1-Feb"),
            ("January 2026", "February 2026"),
        )
    },
    **{
        f"months as {first}": Sample(
            f"月,さくら,Ben\n{first},7,0\n{second},0,5\n",
            "koikoi",
            [(1, None, (7, 0)), (1, None, (0, 5))],
            players=("さくら", "Ben"),
        )
        for first, second in (
            ("第一回戦", "第二回戦"),
            ("#1", "#2"),
            ("むつき", "きさらぎ"),
            ("mutsuki", "kisaragi"),
            ("松", "梅"),
            ("Pine", "Plum"),
        )
    },
    "columns with blanks between, as in plain text": Sample(
        "2月3日の花札会\n月　　あや  勉\n1月    7   0\n2月    0   5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        players=("あや", "勉"),
    ),
    "empty cells between blanks, below the names": Sample(
        "花札会\n 月   Aya    勉\n 1月    7\n 2月          5文\n\n合計    7     5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        players=("Aya", "勉"),
    ),
    "a list of months, as in an app for notes": Sample(
        "1月 Aya 7文 赤短\n2月 流れ\n2月 Ben 5文\n3月 Aya 2文 花見酒\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5)), (2, None, (2, 0))],
    ),
    "answers of a form, with the time of each": Sample(
        "タイムスタンプ,月,勝者,文数\n2026/02/03 18:00:00,1月,Aya,7\n"
        "2026/02/03 18:20:00,2月,Ben,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "running sums next to the players": Sample(
        "月,Aya,Aya累計,Ben,Ben累計\n1,7,7,0,0\n2,0,7,5,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "a name with a joined emoji": Sample(
        "月,Aya👩‍👧,Ben\n1,7,0\n2,0,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
        players=("Aya👩‍👧", "Ben"),
    ),
    "a grade carried on as the document writes it": Sample(
        "月,場,親,Aya,Ben,Chie,月石\n1,大大,Aya,24,-12,-12,Ben\n",
        "hachihachi",
        [(1, "large2", (24, -12, -12))],
        players=AYA_BEN_CHIE,
    ),
    "players who went out": Sample(
        "月,親,A,B,C,D\n1,A,15,-5,降り,-10\n2,A,-20,10,10,下り\n",
        "ten-five-one",
        [(1, None, (15, -5, 0, -10)), (1, None, (-20, 10, 10, 0))],
        players=tuple("ABCD"),
    ),
    "fuke as a row of zeros": Sample(
        "月,親,Aya,Ben,Chie\n1,Aya,12,-6,-6\n2,Aya,0,0,0\n3,Ben,-20,20,0\n4,Ben,0,0,0\n5,Chie,9,-9,0\n",
        "hanaawase",
        [
            (1, None, (12, -6, -6)),
            (1, None, (0, 0, 0)),
            (2, None, (-20, 20, 0)),
            (2, None, (0, 0, 0)),
            (3, None, (9, -9, 0)),
        ],
        players=AYA_BEN_CHIE,
    ),
    "a house where the loser pays, without the losses": Sample(
        "月,Aya,Ben\n1,5,0\n2,0,6\n",
        "koikoi",
        [(1, None, (5, -5)), (1, None, (-6, 6))],
        {"profile": "koikoi-ai"},
    ),
    "fuke below payments": Sample(
        "月,親,A,B,C\n1,A,6,-6,0\n,,,ふけ,\n2,B,6,-6,0\n",
        "hanaawase",
        [(1, None, (0, 0, 0)), (2, None, (6, -6, 0))],
        players=("A", "B", "C"),
    ),
    "gains and losses": Sample(
        "月,Aya,Ben,計\n1,+7,-7,0\n2,▲5,,0\n3,0,0,\n合計,2,-2,0\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5)), (2, None, ())],
    ),
    "a prize in a row of its own, the year's example of the document": Sample(
        "月,Aya,Ben\n1,,4\n2,1,\n3,2,\n春計,3,4\n4,1,\n5,3,\n6,6,\n小引,5,\n小計,18,4\n7,0,1\n"
        "合計（文）,18,5\n勝ち月,5,2\n",
        "koikoi",
        [
            (1, None, (0, 4)),
            (2, None, (1, 0)),
            *[(1, None, (amount, 0)) for amount in (2, 1, 3, 11)],
            (1, None, (0, 1)),
        ],
    ),
    "months played again, yaku next to the amounts": Sample(
        "月,Aya,Ben\n1月,7（赤短）,\n2月（流れ）,,\n2月 再,,くさ 5文\n,7,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5))],
    ),
    "the head again, sums of parts": Sample(
        "月,Aya,Ben\n1,7,0\n2,0,5\n計,7,5\n月,Aya,Ben\n3,0,2\n計,0,2\n総計,7,7\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5)), (2, None, (0, 2))],
    ),
    "marks of the winner, deals counted next to the months": Sample(
        "回,月,Aya,Ben,文\n1,1,○,●,7\n2,2,,,0\n3,2,×,〇,5\n合計,,7,5,\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5))],
    ),
    "figures below the names": Sample(
        "月,Aya,,Ben,\n,得点,累計,得点,累計\n1,7,7,0,0\n2,0,7,5,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    "payments struck out, as in month 4 of the document": Sample(
        "|月|場|A|B|C|月石|\n|-|-|-|-|-|-|\n"
        "|1|大|~~+16貫~~|~~-8貫~~|~~-8貫~~||\n|||+56貫|-28貫|-28貫|A|\n",
        "hachihachi",
        [(1, "large", (672, -336, -336))],
        players=("A", "B", "C"),
    ),
    **{
        f"further columns, {head}": Sample(
            f"{head}\n1,7,0,7,0\n2,0,5,7,5\n", "koikoi", [(1, None, (7, 0)), (1, None, (0, 5))]
        )
        for head in (
            "Round,Aya,Ben,Aya total,Ben total",
            "Round,Aya score,Ben score,Total (Aya),Total (Ben)",
            "月,Aya得点,Ben得点,Aya合計,Ben合計",
            "月,Aya（文）,Ben（文）,こいこい,倍率",
        )
    },
    "a draw below which the month is left out, a row of units": Sample(
        "月,胴,Aya,Ben\n,,文,文\n1,Aya,7,0\n2,Aya,流れ,\n,Ben,0,5\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, ()), (2, None, (0, 5))],
    ),
    "heads of the document of hachihachi": Sample(
        "月,軍配,胴,A,B,C,番個板\n1,大,A,24,-12,-12,B\n",
        "hachihachi",
        [(1, "large", (24, -12, -12))],
        players=("A", "B", "C"),
    ),
    "bars without a frame after empty cells": Sample(
        "月|親|Aya|Ben|Chie\n1|Aya|24|-12|-12\n||12|-6|-6\n",
        "hachihachi-bga",
        [(1, None, (36, -18, -18))],
        players=AYA_BEN_CHIE,
    ),
    "emphasis in Markdown": Sample(
        "| 月 | __Aya__ | Ben |\n|-|-|-|\n| 1 | *7* | 0 |\n| 2 | 0 | `5` |\n| **計** | 7 | 5 |\n",
        "koikoi",
        [(1, None, (7, 0)), (1, None, (0, 5))],
    ),
    **{
        f"kan and points in columns of their own, {name}": Sample(
            f"{head}1,Aya,2,,-1,,-1,\n,,,+12,,-6,,-6\n2,Aya,2,3,-1,6,,-9\n",
            "hachihachi-bga",
            [(1, None, (36, -18, -18)), (1, None, (27, -18, -9))],
            players=AYA_BEN_CHIE,
        )
        for name, head in (
            ("named", "月,親,Aya貫,Aya文,Ben貫,Ben文,Chie貫,Chie文\n"),
            ("below the names", "月,親,Aya,,Ben,,Chie,\n,,貫,文,貫,文,貫,文\n"),
            ("without units", "月,親,Aya,,Ben,,Chie,\n"),
        )
    },
    **{
        f"amounts in kan, {head[:2]}": Sample(
            f"{head}1月 大,Aya,2,-0.5,-1.5\n",
            "hachihachi-bga",
            [(1, "large", (24, -6, -18))],
            players=AYA_BEN_CHIE,
        )
        for head in (
            "単位：貫\n月,親,Aya,Ben,Chie\n",
            "月,親,Aya（貫）,Ben（貫）,Chie（貫）\n",
        )
    },
    "remarks, an unknown column, an average": Sample(
        "月,親,Aya,Ben,Chie,Dai,備考,会場\n1,1,12,-6,-6,0,よい月,家\n2,1,0,24,-12,-12,,家\n平均,,6,9,-9,-6,,\n",
        "ten-five-one",
        [(1, None, (12, -6, -6, 0)), (1, None, (0, 24, -12, -12))],
        players=("Aya", "Ben", "Chie", "Dai"),
    ),
}


def read(text: str | bytes, rules: str = "koikoi", **settings: Any) -> Notebook:
    """Read a notebook by the rules of a house."""
    data = text.encode() if isinstance(text, str) else text
    dealer = settings.pop("dealer", 1)
    return read_notebook(data, rules, settings.get("options", {}), dealer=dealer)


def verdict_of(notebook: Notebook) -> Verdict:
    """Return the verdict of a notebook without faults."""
    assert notebook.verification is not None, [fault.message() for fault in notebook.faults]
    return notebook.verification.verdict


def first_fault(notebook: Notebook) -> tuple[str, int | None, int | None]:
    """Return code, row and column of the first fault of the table."""
    fault = notebook.faults[0]
    assert fault.message("ja") and fault.message("en")
    return fault.code.id, fault.line, fault.column


@pytest.mark.parametrize("name", SAMPLES)
def test_notebook_is_read_as_its_score_sheet(name: str) -> None:
    sample = SAMPLES[name]
    notebook = read(sample.text, sample.rules, options=sample.options)
    assert verdict_of(notebook).error is None
    assert verdict_of(notebook).status == sample.status
    game = notebook.game
    assert game is not None and game.is_sheet
    assert game.players == sample.players
    months = [
        (
            month.dealer,
            month.ba,
            tuple(map(sum, zip(*(payment.amounts for payment in month.payments), strict=True))),
        )
        for month in game.months
    ]
    assert months == sample.months
    assert notebook.verification is not None
    assert kafu.read(notebook.verification.text) == game


def test_year_of_the_document_is_read_with_its_settlement() -> None:
    # 得点記入例 of the rule document of 三人花合わせ.
    notebook = read(
        ",1月,2月,3月,4月,5月,6月,7月,8月,9月,10月,11月,12月,小計,吟味,合計\n"
        "A,-18,-92,+28,-25,-93,-27,+138,-47,+43,+74,,+87,+68,-10,+58\n"
        "B,-56,+74,+2,-13,+21,+33,-98,+2,0,-55,ふけ,-74,-164,-70,-234\n"
        "C,+74,+18,-30,+38,+72,-6,-40,+45,-43,-19,,-13,+96,+80,+176\n",
        "hanaawase",
    )
    assert verdict_of(notebook).status == "consistent"
    assert verdict_of(notebook).final == (58, -234, 176)


def test_year_in_the_form_of_the_document_is_read_with_its_settlement() -> None:
    # 記入式について in the rule document of hachihachi: kan and points, a row for each payment, and
    # * for the player who puts in the stone. Payments that were struck out are left out.
    notebook = read(
        ",,競技者A,,競技者B,,競技者C,,備考\n"
        "1月,大,-4,,-4,,+8,,三本\n,,-14,,+28 *,,-14,,赤短\n"
        "2月,小,-3,,+6,,-3,,短一\n,,-1,,+2,,-1 *,,抜\n,,,-10,,+1,,+9,\n"
        "3月,大大,+20,,-10,,-10,,短一三本\n,,+4,,-2,,-2,,飛込\n,,+4 *,,-2,,-2,,抜\n"
        ",,,+60,,-52,,-8,\n4月,大,+56 *,,-28,,-28,,素十七\n5月,小,-17,,-17,,+34 *,,青短七短\n"
        "6月,絶,+16 *,,-8,,-8,,三本\n,,,+132,,-196,,+64,\n7月,小,-4,,+8,,-4,,光一\n"
        ",,+4,,-2,,-2,,三本\n,,+2 *,,-2,,,,飛込法度\n,,,+13,,-12,,-1,\n8月,小,-3,,+6,,-3,,立三本\n"
        ",,,,+2,,-2,,飛込\n,,-3,-6,-3,-6,+6 *,+12,青短・消\n9月,小,,0,,+15 *,,-15,\n"
        "10月,絶,-8,,+16,,-8,,赤\n,,-48,,+96 *,,-48,,四光\n11月,大,-6,,+12,,-6,,短一\n"
        ",,-7,,+14,,-7,,赤短・下\n,,+24 *,,-24,,,,猪鹿\n12月,大,+8,,-4,,-4,,赤\n"
        ",,-12,,-12,,+24 *,,猪鹿\n合計,,+8,+189,+72,-250,-80,+61,\n"
        "月石清算,,+8,+184,+72,-253,-80,+69,\n吟味分減算,,-10,,-10,,-10,,\n"
        "再計,,-2,+184,+62,-253,-90,+69,\n最終得点,,+13,,+71,,-84,,\n",
        "hachihachi",
    )
    assert verdict_of(notebook).status == "consistent"
    assert verdict_of(notebook).final == (13, 71, -84)


def test_date_above_the_table_is_the_date_of_the_game() -> None:
    game = read("花札の会 令和8年2月3日,,\n月,Aya,Ben\n1,7,0\n2,0,5\n").game
    assert game is not None and game.tags["Date"] == "2026-02-03"


def test_remarks_become_comments_of_their_months() -> None:
    game = read(KEPT).game
    assert game is not None
    assert [month.notes["month"] for month in game.months] == [["役: 赤短"], ["役: くさ"]]


def test_decoded_players_are_named_for_a_check() -> None:
    notebook = read("月,あや,勉\r\n1月,7,0\r\n".encode("cp932"))
    warnings = {warning.code.id: warning.values for warning in notebook.warnings}
    assert warnings["decoded-names"] == {"names": "あや, 勉"}


def test_shared_date_of_all_months_is_the_date_of_the_game() -> None:
    game = read("日付,Aya,Ben\n2026-02-03,7,0\n2026-02-03,0,5\n").game
    assert game is not None and game.tags["Date"] == "2026-02-03"
    assert not any(month.notes for month in game.months)


def test_unreadable_cell_is_named() -> None:
    for text, rules, code, row, column in [
        ("just words", "koikoi", "notebook-no-table", 1, 1),
        ("Aya,Ben,Chie\n7,0,0\n", "koikoi", "notebook-players", 1, 1),
        ("月,Aya,Ben,\n1,7,0,3\n", "koikoi", "notebook-no-name", 1, 4),
        ("月,月,Aya,Ben\n1,1,7,0\n", "koikoi", "notebook-column-twice", 1, 2),
        ("月,Aya,Aya\n1,7,0\n", "koikoi", "notebook-column-twice", 1, 3),
        ("月,Aya,Ben\n1,7,0\n閏月,7,0\n", "koikoi", "notebook-month", 3, 1),
        ("月;Aya;Ben\n1;7,0;0\n", "koikoi", "notebook-amount", 2, 2),
        ("月,Aya,Ben\n1,7,0\n※雨,0,5\n", "koikoi", "notebook-month", 3, 1),
        ("月,Aya,Ben\n1,7,0\n2,O5,0\n", "koikoi", "notebook-amount", 3, 2),
        ("月,Aya,Ben\n1,7,0\n2,3.5,0\n", "koikoi", "notebook-amount", 3, 2),
        ("月,Aya,Ben\n1,1貫,0\n", "koikoi", "notebook-kan", 2, 2),
        ("月,場,Aya,Ben\n1,大場,7,0\n", "koikoi", "notebook-no-grades", 2, 2),
        ("月,場,A,B,C\n1,中場,12,-6,-6\n", "hachihachi", "notebook-grade", 2, 2),
        ("月,親,Aya,Ben\n1,Chie,7,0\n", "koikoi", "notebook-seat", 2, 2),
        ("月,Aya,Ben\n1,親7,親0\n", "koikoi", "notebook-dealers", 2, 3),
        ("月,勝者,Aya,Ben\n1,Ben,7,0\n", "koikoi", "notebook-winner", 2, 2),
        ("月,A,B,C\n1,6,-6,0\n2,,,\n3,6,-6,0\n", "hanaawase", "notebook-no-amounts", 3, 1),
        ("月,A,B,C\n1,6,-6,0\n2,6,-6,0\n", "hachihachi", "notebook-no-dealer", 3, 1),
        ("月,親,A,B,C\n1,A,6,-6,0\n2,,6,-6,0\n", "hachihachi-bga", "notebook-no-dealer", 3, 1),
        ("月,Aya,Ben,計\n1,7,0,8\n", "koikoi", "notebook-sum", 2, 4),
        ("月,Aya,Ben\n1,7,0\n2,0,5\n合計,7,6\n", "koikoi", "notebook-total", 4, 3),
        ("月,1月,2月\nAya,7,0\nBen,0,x5\n", "koikoi", "notebook-amount", 3, 3),
        ("月,Aya,Ben\n1,=2+3,0\n2,0,5\n", "koikoi", "notebook-formula", 2, 2),
        ("月,Aya,Ben,計\n1,7,0,=B2+C2\n", "koikoi", "notebook-formula", 2, 4),
        ("月,Aya,Ben\n2026-01-03,7,0\n", "koikoi", "notebook-month", 2, 1),
        ("月,勝者,文\n1,Aya,5\n2,Aya,3\n", "koikoi", "notebook-one-winner", 1, 2),
        ("1. AxC/dxf BxA\n2. DxE/f C\n3. B/m C/d\n", "koikoi", "notebook-no-table", 1, 1),
        ("月,勝者,文\n1,Aya,5\n2,,3\n3,Ben,1\n", "koikoi", "notebook-seat", 3, 2),
        ("月,勝者,文\n1,Aya,5\n2,Ben,x3\n", "koikoi", "notebook-amount", 3, 3),
        ("月,勝者,文\n1,Aya,5\n2,Ben,\n", "koikoi", "notebook-amount", 3, 3),
        ("月,Aya,Ben\n1,7,0\n2,7(5),0\n", "koikoi", "notebook-amount", 3, 2),
        ("月,Aya,,Ben,\n1,7,7,0,0\n2,0,7,5,5\n", "koikoi", "notebook-no-name", 1, 3),
        ("月,A,,B,,C,\n1,24,1,-12,2,-12,3\n", "hachihachi", "notebook-no-name", 1, 3),
        ("月,Aya,Ben\n1,4,0\n大引,5,0\n", "koikoi", "notebook-month", 3, 1),
        ("月,親,A,B,C\n1,,◎6,-6,0\n,,4,◎-2,-2\n", "hanaawase", "notebook-dealers", 2, 4),
        ("月,A貫,A点,B貫,B点,C貫,C点\n1,2,x3,-1,,-1,\n", "hachihachi", "notebook-amount", 2, 2),
        ("月,A,B\n1,7,0\n2,0,5\n\n月,A,B\n1,7,0\n", "koikoi", "notebook-two-tables", 5, 1),
        ("月,A,B\n1,7,0\n2,0,5\n月,C,D\n3,7,0\n", "koikoi", "notebook-two-tables", 4, 1),
        ("月,A,B\n1,7,0\n合計,7,0\n2,0,5\n合計,7,6\n", "koikoi", "notebook-total", 5, 3),
        ("月,A,B,文\n1,○,×,7\n2,○,○,5\n3,×,○,1\n", "koikoi", "notebook-amount", 3, 3),
        ("月,A,B,文\n1,○,×,7\n2,,,5\n3,×,○,1\n", "koikoi", "notebook-seat", 3, 2),
        ("月  Aya  Ben\n1月   7\n2月  5\n3月  3\n4月     4\n", "koikoi", "notebook-no-table", 1, 1),
    ]:
        notebook = read(text, rules)
        assert notebook.game is None, text
        assert first_fault(notebook) == (code, row, column), text


@pytest.mark.parametrize(
    ("text", "rules", "code", "row", "column"),
    [
        # No month of the document's koi-koi has such a value, and koi-koi has no payments.
        ("月,Aya,Ben\n1,7,0\n2,0,99999\n", "koikoi", "sheet-month-sum", 3, 3),
        ("月,親,A,B,C\n1,A,6,-6,0\n2,B,6,-6,0\n", "hanaawase", "dealer-not-due", 3, 2),
        ("月,A,B,C\n1,6,-6,0\n3,6,-6,0\n", "hanaawase", "month-not-due", 3, 1),
        ("月,Aya,Ben\n1,4,0\n2,5,0\n小引,5,0\n", "koikoi", "sheet-season", 3, 2),
        ("月,A,B,C\n1,6,-6,0\n2,7,-6,0\n", "hanaawase", "sheet-line-not-zero", 3, 2),
    ],
)
def test_month_that_the_rules_exclude_is_refused_at_its_cell(
    text: str, rules: str, code: str, row: int, column: int
) -> None:
    notebook = read(text, rules)
    error = verdict_of(notebook).error
    assert error is not None
    placed = notebook.placed(error)
    assert (placed.code.id, placed.line, placed.column) == (code, row, column)


def test_ignored_columns_and_rows_are_named() -> None:
    sample = SAMPLES["remarks, an unknown column, an average"]
    notebook = read(sample.text, sample.rules)
    left_out = [fault for fault in notebook.warnings if fault.code.id == "notebook-left-out"]
    assert [(fault.line, fault.column, fault.values["found"]) for fault in left_out] == [
        (1, 8, "会場"),
        (4, 1, "平均"),
    ]


def test_row_without_a_month_is_added_with_a_warning() -> None:
    months = "月,親,A,B,C\n1,A,6,-6,0\n,,4,-2,-2\n2,A,10,-4,-6\n"
    notebook = read(f"{months},,20,-12,-8\n,,80,-10,-70\n合計,,20,-12,-8\n", "hanaawase")
    assert [deal.score for deal in verdict_of(notebook).deals] == [(10, -8, -2), (10, -4, -6)]
    warnings = [(fault.code.id, fault.line) for fault in notebook.warnings]
    assert ("notebook-further", 3) in warnings and ("notebook-left-out", 6) in warnings
    apart = read("月,A,B,C\n1,6,-6,0\n2,10,-4,-6\n,,,\n,80,-10,-70\n", "hanaawase")
    assert first_fault(apart) == ("notebook-month", 5, 1)


def test_assumed_first_dealer_is_a_warning() -> None:
    notebook = read("Aya,Ben\n7,0\n0,5\n", dealer=2)
    assert [fault.code.id for fault in notebook.warnings] == ["notebook-first-dealer"]
    assert notebook.game is not None
    assert [month.dealer for month in notebook.game.months] == [2, 1]
    assert first_fault(read("Aya,Ben\n7,0\n", dealer=3))[0] == "notebook-seat"


def test_spelling_of_an_amount_is_read() -> None:
    for text, value in [
        ("１２", 12),
        ("+7", 7),
        ("▲5", -5),
        ("△5", -5),
        ("−5", -5),
        ("–5", -5),
        ("(18)", -18),
        ("（１８）", -18),
        ("18-", -18),
        ("▲ 1,234", -1234),
        ("1 234", 1234),
        ("5点", 5),
        ("7文", 7),
        ("1貫8文", 20),
        ("-1貫", -12),
        ("2貫半", 30),
        ("3k", 36),
        ("7.0", 7),
        ("五文", 5),
        ("五", 5),
        ("〇", 0),
        ("零点", 0),
        ("十二文", 12),
        ("二〇", 20),
        ("百二十", 120),
        ("▲三貫六文", -42),
        ("-1.5貫", -18),
        ("マイナス12", -12),
        ("", None),
        ("—", None),
    ]:
        amount = amount_of(text)
        assert amount is not None and amount.value == value, text


@pytest.mark.parametrize("text", ["7.5", "1,23", "--5", "-(5)", "7円", "1e3", "9" * 11, "貫"])
def test_text_without_an_amount_is_refused(text: str) -> None:
    assert amount_of(text) is None


def test_table_larger_than_a_notebook_is_refused() -> None:
    for text in ("Aya,Ben\n" + "7,0\n" * MAX_ROWS, "Aya,Ben" + ",x" * 100, "a" * (2 << 20)):
        assert first_fault(read(text))[0] == "notebook-too-large"
    assert first_fault(read("Aya,Ben\n" + "7,0\n" * 70))[0] == "too-many-deals"


def test_rows_without_cells_below_a_table_do_not_count() -> None:
    assert read("Aya,Ben\n7,0\n" + ",\n" * 1000).game is not None


def test_fault_of_a_notebook_among_games_names_the_way_to_read_it() -> None:
    piece = single(KEPT)
    assert piece is not None
    fault = read_piece(piece).fault
    assert fault is not None and fault.code.id == "notebook"


def test_facade_returns_the_sheet_or_the_place_of_the_fault() -> None:
    game = kafu.read_notebook(KEPT, "koikoi")
    assert isinstance(game, Game)
    with pytest.raises(kafu.NotKafu) as refused:
        kafu.read_notebook("月,Aya,Ben\n1,7,zwölf3\n", "koikoi")
    assert (refused.value.line, refused.value.column) == (2, 3)
    with pytest.raises(kafu.UnknownRuleset):
        kafu.read_notebook(KEPT, "poker")
    with pytest.raises(kafu.BadValue):
        kafu.read_notebook(KEPT, "koikoi", options={"months": "0"})


def test_cell_that_is_too_long_for_a_name_is_no_player() -> None:
    name = "N" * 201
    notebook = read(f"月,Aya,Ben,{name}\n1,7,0,3\n", "hachihachi")
    assert first_fault(notebook) == ("notebook-no-name", 1, 4)


# Games, written as notebooks ----------------------------------------------------------------------

GRADE_WORDS = {
    None: "",
    "small": "小場",
    "large": "大場",
    "absolute": "絶",
    "large2": "大場二代",
    "absolute2": "絶2",
}


def notebook_of(game: Game, verdict: Verdict, rng: random.Random) -> str:
    """Write the scores of a judged sheet like people do."""
    rules = RULESETS[game.rules]
    separator = rng.choice(",;\t|")
    in_columns = rules.kan and rng.random() < 0.5
    units = ("貫", "点") if in_columns else ("",)
    heads = [name + unit for name in game.players for unit in units]
    head = ["月", "場", "親", *heads, "月石", "計"]
    rows = [head]
    totals = [0] * len(game.players)
    for month, deal in zip(game.months, verdict.deals, strict=True):
        totals = [a + b for a, b in zip(totals, deal.score, strict=True)]
        amounts = [
            rng.choice([f"▲{-part}", f"({-part})", f"−{-part}"]) if part < 0 else str(part)
            for score in deal.score
            for part in ((int(score / 12), int(math.fmod(score, 12))) if in_columns else (score,))
        ]
        stone = game.players[month.stone - 1] if month.stone and rules.kan else ""
        dealer = game.players[month.dealer - 1]
        ba = GRADE_WORDS[month.ba]
        rows.append([f"{month.month}月", ba, dealer, *amounts, stone, str(sum(deal.score))])
    if not in_columns:
        rows.append(["合計", "", "", *map(str, totals), "", ""])
    return "\n".join(separator.join(row) for row in rows)


@pytest.mark.parametrize("rules", RULESETS)
def test_sums_of_a_played_game_are_read_as_its_sheet(rules: str) -> None:
    rng = random.Random(7)
    for seed in range(1, 4 if LONG else 2):
        seats = rng.choice(list(RULESETS[rules].seats))
        sheet = kafu.sheet_of(kafu.simulate(rules, seed=seed, players=seats))
        verdict = kafu.verify(sheet)
        encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16", "cp932"])
        notebook = read(notebook_of(sheet, verdict, rng).encode(encoding), rules)
        read_verdict = verdict_of(notebook)
        assert read_verdict.error is None
        assert [deal.score for deal in read_verdict.deals] == [deal.score for deal in verdict.deals]
        assert [deal.dealer for deal in read_verdict.deals] == [
            deal.dealer for deal in verdict.deals
        ]
        assert (read_verdict.status, read_verdict.final) == ("consistent", verdict.final)


# Anything -----------------------------------------------------------------------------------------

CELLS = st.sampled_from(
    [
        "月",
        "親",
        "場",
        "計",
        "合計",
        "備考",
        "Aya",
        "Ben",
        "1",
        "1月",
        "睦月",
        "7",
        "▲5",
        "親",
        "x",
        "",
        '"',
        "大場",
    ]
) | st.text(max_size=5)


@given(st.lists(st.lists(CELLS, max_size=6), max_size=6), st.sampled_from(list(RULESETS)))
def test_any_table_is_read_or_refused_with_a_place(rows: list[list[str]], rules: str) -> None:
    notebook = read("\n".join(",".join(row) for row in rows), rules)
    assert (notebook.game is None) == bool(notebook.faults)
    for fault in (*notebook.faults, *notebook.warnings):
        assert fault.message("ja") and fault.message("en")
    if notebook.verification is not None and notebook.verification.verdict.error is not None:
        assert notebook.placed(notebook.verification.verdict.error).line


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for prefix in (b"", b"PK\x03\x04"):
        try:
            rows, _warnings = read_rows(prefix + data)
        except Malformed:
            continue
        convert(rows, "koikoi", {})


@given(st.lists(st.lists(CELLS, max_size=5), max_size=5))
@example([["月", "\t"]])
@example([["a,b,c\tx"]])
def test_written_table_is_read_as_the_same_cells(rows: list[list[str]]) -> None:
    def texts(table: Rows) -> list[list[str]]:
        return [[cell.text for cell in row] for row in table]

    table = read_table("\n".join(",".join(row) for row in rows))
    assert texts(read_table(write_table(table))) == texts(table)
