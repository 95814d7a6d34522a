"""Codes of what is wrong on a score sheet."""

from __future__ import annotations

from typing import Final

from kafu.rules.sentences import RuleCode

SHEET_LABEL: Final = RuleCode(
    "sheet-label-unknown",
    "{label:yaku}: neither a payment of this ruleset nor yaku that one player can have together"
    " (H24)",
    "{label:yaku}: この競技にない支払いか、複合しない役です (H24)",
)
SHEET_SUM: Final = RuleCode(
    "sheet-line-not-zero",
    "{label:yaku}: the amounts sum to {sum}, not to zero (C4)",
    "{label:yaku}: 授受の合計が 0 にならず {sum} です (C4)",
)
SHEET_MAKER: Final = RuleCode(
    "sheet-maker-unclear",
    "{label:yaku}: exactly one player can receive it (H24)",
    "{label:yaku}: 役代をもらうのは一人だけです (H24)",
)
SHEET_VALUE: Final = RuleCode(
    "sheet-value",
    "{label:yaku}: {seat:seat} gets {found}, which is not its value in this field grade: {due}"
    " (H24)",
    "{label:yaku}: {seat:seat}の {found} はこの場の役代と合いません: {due} (H24)",
)
SHEET_SHARES: Final = RuleCode(
    "sheet-shares",
    "{label:yaku}: the other two pay half of each yaku, or one of them pays all of it (H24)",
    "{label:yaku}: 役代は他の二人が半分ずつか、一人が全部を払います (H24)",
)
SHEET_SHARED: Final = RuleCode(
    "sheet-not-shared",
    "{label:yaku}: the other two must pay the same amount (H5, H16, H17)",
    "{label:yaku}: 他の二人が同じだけ払います (H5, H16, H17)",
)
SHEET_SOHACHI: Final = RuleCode(
    "sheet-sohachi",
    "sōhachi is paid to the dealer, {due:seat} (H16)",
    "総八をもらうのは親の{due:seat}です (H16)",
)
SHEET_POINTS: Final = RuleCode(
    "sheet-points",
    "card points: {found} is no deviation from 88 in this field grade (H17, H18)",
    "取り札の点: {found} はこの場の88点からの浮き沈みになりません (H17, H18)",
)
SHEET_POINTS_TWICE: Final = RuleCode(
    "sheet-points-twice",
    "card points are paid once a month (H17)",
    "取り札の点の授受は月に一度です (H17)",
)
SHEET_BA: Final = RuleCode(
    "sheet-ba",
    "after the month before, the field grade cannot be {grade:grade}, only {due:grade} (H1)",
    "前月からみて、場は{grade:grade}にはなりません（{due:grade} のみ） (H1)",
)
SHEET_STONE_MISSING: Final = RuleCode(
    "sheet-stone-missing",
    "the stone of month {month} is missing: the next dealer puts one in (H19)",
    "{month}月の月石がありません。次の親が出します (H19)",
)
SHEET_STONE_SHISO: Final = RuleCode(
    "sheet-stone-of-shiso",
    "no stone is put in for a month that shisō ends (H6)",
    "四三で終わった月の月石は出しません (H6)",
)
SHEET_STONE_WRONG: Final = RuleCode(
    "sheet-stone-wrong",
    "{seat:seat} deals, but the stone of the month before is of {due:seat} (H25)",
    "前月の月石は{due:seat}なのに、{seat:seat}が配っています (H25)",
)
SHEET_STONE_DOUBTFUL: Final = RuleCode(
    "sheet-stone-doubtful",
    "the stone is of {seat:seat}, but by the payments {due:seat} should deal next (H19)",
    "月石は{seat:seat}ですが、授受からみて次の親は{due:seat}のはずです (H19)",
)
SHEET_NOT_STRUCK: Final = RuleCode(
    "sheet-not-struck-out",
    "{label:yaku} is paid in a month with a special yaku, which strikes it out (H16)",
    "{label:yaku}は特殊役の成立で吹き消しになるはずです (H16)",
)
SHEET_GROUNDLESS: Final = RuleCode(
    "sheet-groundless",
    "{label:yaku} of {seat:seat}, who has declared no dealt-hand yaku that gives it (H15, H17)",
    "{seat:seat}に{label:yaku}がありますが、もとになる手役がありません (H15, H17)",
)
