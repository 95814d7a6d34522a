"""The options of こいこい (K15–K20) and its presets, with their texts for people.

An option named after a yaku sets its value; with 0 the yaku is not played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.rules.house_rules import (
    MON,
    MONTHS,
    NO,
    NONE,
    Option,
    Preset,
    Words,
    number,
    switch,
    yaku_value,
    yaku_words,
)
from kafu.rules.koikoi.profiles import GROWS, REPLACES, ROWS, TEYAKU
from kafu.rules.names import YAKU

_VALUE: Final = range(1000)
_SMALL: Final = range(100)
_DIGIT: Final = range(10)
_NEVER: Final = Words("なし", "never")
_TIMES: Final = Words("回", "times")


def _step(id: str) -> Option:
    """Return the option for the growth of a yaku with each further card."""
    ja, en = yaku_words(id)
    label = Words(f"{ja}：1枚増すごとに", f"{en}: each further card")
    return number("captured", label, _SMALL, MON, NONE)


def _over(id: str) -> Option:
    """Return the option for whether a yaku replaces the lesser yaku of its cards."""
    lesser = [YAKU[other] for other in REPLACES[id]]
    return switch(
        "captured",
        f"{YAKU[id].ja}と{'・'.join(name.ja for name in lesser)}",
        f"{YAKU[id].romaji} with {', '.join(name.romaji for name in lesser)}".capitalize(),
        Words(f"{YAKU[id].ja}だけ数える", f"only {YAKU[id].romaji} counts"),
        Words("両方数える", "both count"),
    )


def _called(id: str) -> Option:
    """Return the option for the value of a sake yaku after its player's こいこい."""
    ja, en = yaku_words(id)
    label = Words(f"{ja}：こいこいの後", f"{en}: after koi-koi")
    return number("captured", label, _VALUE, MON, Words("変わらない", "no change"))


OPTIONS: Final[Mapping[str, Option]] = {
    "profile": Option(
        "options",
        Words("もとになるルール", "House"),
        {
            "koikoi": Words("規則書", "the document"),
            "koikoi-ai": Words("持ち点のやりとり", "points paid by the loser"),
            "koikoi-nintendo": Words("任天堂系", "Nintendo style"),
        },
    ),
    "months": number("settlement", Words("月数", "Length"), range(1, 49), MONTHS),
    "first-to": number(
        "settlement", Words("先取する得点", "First to reach, wins"), _VALUE, MON, NONE
    ),
    "start": number("deal", Words("最初の持ち点", "Points at the start"), _VALUE, MON),
    "pays": switch("end", "敗者の支払い", "The loser pays the winner's points"),
    "bust": switch(
        "settlement",
        "持ち点がなくなったら",
        "When a player has no points left",
        Words("終わる", "the game ends"),
        Words("続ける", "play goes on"),
    ),
    "teyaku": switch("dealt", "手役", "Dealt-hand yaku"),
    **{row.id: yaku_value("dealt", row.id) for row in TEYAKU},
    **{row.id: yaku_value("captured", row.id) for row in ROWS},
    "tsukifuda": yaku_value("captured", "tsukifuda"),
    "sakazuki": Option(
        "captured",
        Words("菊に盃をカスに", "The sake cup as chaff"),
        {
            "yes": Words("数える", "counts"),
            "scored": Words("数える（宣言は11枚から）", "counts, but to stop needs 11"),
            "no": Words("数えない", "does not count"),
        },
    ),
    **{f"{id}-step": _step(id) for id in GROWS},
    **{f"{id}-over": _over(id) for id in REPLACES},
    "hanami-called": _called("hanami"),
    "tsukimi-called": _called("tsukimi"),
    "rain": switch(
        "captured", "雨流れ（柳を取ると花見・月見が無効）", "Rain: willow voids hanami and tsukimi"
    ),
    "mist": switch(
        "captured",
        "霧流れ（桐を取ると花見・月見が無効）",
        "Mist: paulownia voids hanami and tsukimi",
    ),
    "hinode": switch(
        "captured",
        "日の出（松に鶴で雨流れ・霧流れを取り消す）",
        "The crane undoes rain and mist (hinode)",
    ),
    "shibori": number(
        "turn",
        Words(
            "やり直しの月に宣言できる合計（しぼり）", "Least total to stop in a month played again"
        ),
        _DIGIT,
        MON,
        NONE,
    ),
    "shima": Option(
        "deal",
        Words("配り直す場札の同月札", "Field cards of one month for a new deal"),
        {"3": Words("3枚から", "3 or more"), "4": Words("4枚", "4")},
    ),
    "shima-hand": switch(
        "deal", "手札の同月札4枚でも配り直し", "A new deal with four of a month in a hand, too"
    ),
    "dealer": Option(
        "deal",
        Words("勝者のある月の次の親", "The dealer after a month that was won"),
        {
            "winner": Words("勝者", "the winner"),
            "loser": Words("敗者", "the loser"),
            "turns": Words("交替", "each player in turn"),
        },
    ),
    "nagare": Option(
        "end",
        Words("流れた月", "A month that nobody won"),
        {
            "again": Words("やり直す", "is played again"),
            "next": Words("次の月に進む", "is over: the next month follows"),
        },
    ),
    "nagare-dealer": Option(
        "deal",
        Words("流れた後の親", "The dealer after a month that nobody won"),
        {"changes": Words("交替", "changes"), "stays": Words("そのまま", "stays")},
    ),
    "oyaken": number(
        "end",
        Words("親権（手札が尽きたとき親が得る）", "The dealer gets, when hands run out (oyaken)"),
        _SMALL,
        MON,
        NONE,
    ),
    "oyaken-wins": switch("end", "親権で親の勝ちとする", "Oyaken wins the month for the dealer"),
    "exhausted": Option(
        "end",
        Words("手札が尽きたとき", "When hands run out"),
        {
            "nagare": Words("流れ", "nobody wins"),
            "higher": Words("役代の高い人の勝ち", "the higher total of yaku wins"),
        },
    ),
    "koikoi-last": switch("turn", "最後の手札でのこいこい", "Koi-koi on the last card"),
    "koikoi-most": number(
        "turn",
        Words("1人1か月のこいこいの上限", "Koi-koi of a player a month, at most"),
        _DIGIT,
        _TIMES,
        Words("無制限", "any number"),
    ),
    "koikoi-bonus": number(
        "beside",
        Words("勝者のこいこい1回ごとに", "Each koi-koi of the winner adds"),
        _SMALL,
        MON,
        NONE,
    ),
    "koikoi-times": number(
        "beside",
        Words(
            "勝者のこいこいがこれを超えたら合計を倍に",
            "The winner's koi-koi multiply, if more than",
        ),
        _DIGIT,
        _TIMES,
        _NEVER,
    ),
    "calls": Option(
        "beside",
        Words("双方のこいこいの回数による倍", "Koi-koi of both players multiply the total"),
        {"no": NO, "multiply": Words("（回数＋1）倍", "by their number + 1")},
    ),
    "koikoigaeshi": switch(
        "beside", "相手のこいこいで2倍（こいこい返し）", "Doubled if the opponent said koi-koi"
    ),
    "bai": number("beside", Words("2倍になる合計", "Doubled from a total of"), _VALUE, MON, _NEVER),
    "kobiki": number(
        "beside",
        Words("季節の3か月に全勝（小引）", "All months of a season won (kobiki)"),
        _SMALL,
        MON,
        NONE,
    ),
    "obiki": number(
        "beside",
        Words("全季節で2か月以上勝つ（大引）", "Two months of every season won (ōbiki)"),
        _SMALL,
        MON,
        NONE,
    ),
    "kaeriharu": switch(
        "settlement", "同点なら一季節延長（返り春）", "A tie adds a season (kaeriharu)"
    ),
    "ginmi": switch("beside", "吟味（対局の勝者の賞）", "A prize for the winner (ginmi)"),
    "ginmi-base": number("beside", Words("吟味：基本", "The prize: fixed part"), _SMALL, MON, NONE),
    "ginmi-month": number(
        "beside",
        Words("吟味：勝った月ごとに", "The prize: for each month won"),
        _DIGIT,
        MON,
        NONE,
    ),
}

#: The options asked first: what houses differ in most.
QUESTIONS: Final = ("months", "hanami", "tsukimi", "rain", "bai", "koikoigaeshi")

_NINTENDO: Final = {"profile": "koikoi-nintendo"}
PRESETS: Final = (
    Preset(
        "traditional",
        Words("昔ながら・手役あり", "Traditional, with dealt-hand yaku"),
        Words(
            "五光24文、花見・月見2文。雨流れあり、2倍なし。流れた月はやり直し、季節と年間の賞あり。",
            "Gokō 24, hanami and tsukimi 2. Rain rule, no doubling. Drawn months are played again; "
            "prizes for seasons and the year.",
        ),
        {},
    ),
    Preset(
        "nintendo",
        Words("任天堂系", "Nintendo style"),
        Words(
            "五光10文、花見・月見5文。7文以上で2倍、相手のこいこいで2倍。手役・雨流れなし。",
            "Gokō 10, hanami and tsukimi 5. Doubled from 7 points, and if the opponent said "
            "koi-koi. No dealt-hand yaku, no rain rule.",
        ),
        _NINTENDO,
    ),
    Preset(
        "without-sake",
        Words("任天堂系・花見と月見なし", "Nintendo style without hanami and tsukimi"),
        Words(
            "花見酒と月見酒は数えません。ほかは任天堂系と同じです。",
            "Hanami and tsukimi do not count. Everything else is Nintendo style.",
        ),
        {**_NINTENDO, "hanami": "0", "tsukimi": "0"},
    ),
    Preset(
        "multiply",
        Words("こいこいのたびに2倍、3倍", "Every koi-koi multiplies"),
        Words(
            "合計を、双方のこいこいの回数に1を足した数で倍にします。こいこいは何回でも。7文以上の2倍"
            "なし。ほかは任天堂系。",
            "The total is multiplied by 1 plus the koi-koi calls of both players. No doubling "
            "from 7; otherwise Nintendo style.",
        ),
        {**_NINTENDO, "calls": "multiply", "koikoigaeshi": "no", "bai": "0", "koikoi-most": "0"},
    ),
    Preset(
        "stakes",
        Words("持ち点30文・8回戦", "30 points each, 8 rounds"),
        Words(
            "敗者が勝者に払い、持ち点が0文になると終わり。自分のこいこい1回ごとに1文。花見・月見は1文、"
            "こいこいの後は3文。",
            "The loser pays the winner; at 0 points the game ends. Each own koi-koi adds 1. Hanami "
            "and tsukimi 1, after koi-koi 3.",
        ),
        {"profile": "koikoi-ai"},
    ),
)
