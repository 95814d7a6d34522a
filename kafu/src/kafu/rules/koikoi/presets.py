"""The presets of こいこい and its first questions, with their texts for people."""

from __future__ import annotations

from typing import Final

from kafu.rules.house_rules import Preset, Words

#: The first options in forms: the most frequent differences between houses.
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
