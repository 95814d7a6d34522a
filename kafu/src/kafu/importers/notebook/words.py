"""The words of notebooks: heads of columns, months, grades, amounts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kafu.cards import PLANTS
from kafu.naming import table as card_names
from kafu.notation.vocabulary import KAN, MAX_AMOUNT
from kafu.rules.names import GRADES, YAKU

#: Heads of columns by meaning. A column with another head and amounts belongs to a player.
_HEADS: Final = {
    "month": "月 月名 月別 何月 回 回戦 局 戦 番号 month months mo round rnd deal game no #",
    "date": "日付 日 年月日 月日 対局日 タイムスタンプ date day timestamp",
    "dealer": "親 親番 胴 胴親 先手 配り手 dealer oya",
    "grade": "場 場の格 場格 場の種類 軍配 ba grade field fieldgrade",
    "stone": "月石 石 番個板 次の親 次親 次の胴 stone nextdealer",
    "winner": "勝者 勝ち 勝 あがり winner wonby",
    "total": "合計 計 総計 月計 検算 total sum check",
    "remark": "役 出来役 手役 備考 メモ 注 コメント 摘要 yaku remark remarks note notes comment"
    " comments memo",
    "other": "小計 累計 通算 差 差引 順位 平均 勝率 勝数 割合 時刻 時間 開始 終了 rank place"
    " average time start end subtotal cumulative running difference winrate win% rate rating"
    " percent こいこい こいこい回数 倍 倍率 枚数 koikoi koi-koi multiplier",
}
#: Heads of a column that counts deals, which can be next to a column of months.
_COUNTS: Final = frozenset(
    ("回", "回戦", "局", "戦", "番号", "round", "rnd", "deal", "game", "no", "#")
)
HEADS: Final[Mapping[str, str]] = {
    word: meaning for meaning, words in _HEADS.items() for word in words.split()
}
#: Labels of rows below the months: sums are checked, rows of the settlement are ignored.
TOTALS: Final = frozenset(
    (
        *("合計", "計", "総計", "総合計", "合計点", "合計点数", "合計得点", "得点合計", "総得点"),
        *("年計", "トータル", "total", "totals", "totalpoints", "totalscore", "sum", "grandtotal"),
    )
)
#: Labels of rows that change the sums of the months.
_SETTLEMENTS: Final = frozenset(
    ("吟味", "吟味分減算", "清算", "精算", "月石清算", "settlement", "prize")
)
_IGNORED_ROWS: Final = _SETTLEMENTS | frozenset(
    (
        *("再計", "点を貫に", "端数処理"),  # of the document of hachihachi
        *("小計", "累計", "順位", "平均", "結果", "最終", "最終得点", "最終結果", "rank", "place"),
        *("average", "subtotal", "cumulative", "running", "final", "finalscore", "finaltotal"),
        *("result", "勝敗", "勝ち月", "勝ち月数", "勝月数", "勝数", "勝率", "wins"),
        *("春計", "夏計", "秋計", "冬計", "前半計", "後半計", "上期計", "下期計"),
    )
)
#: Labels of rows with a prize of koi-koi for the months above, as the document writes it.
_PRIZES: Final = {
    **dict.fromkeys(("小引", "小引き", "kobiki"), "kobiki"),
    **dict.fromkeys(("大引", "大引き", "obiki"), "obiki"),
}
#: A remark in brackets at the end of a label, such as a unit.
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)$")
#: Words for figures of a player, before or after the name in a head.
_FIGURES: Final = re.compile(
    r"(?:累計|通算|小計|合計|総計|順位|平均|勝率|勝数)\Z|\A(?:累計|通算|合計)\W"
    r"|\W(?:total|running|cumulative|rank|average)\W?\Z|\A(?:total|running|cumulative)\W",
    re.IGNORECASE,
)

_MONTH_NUMBER: Final = re.compile(
    r"(?:第|month|round|rnd|game|no\.?|m|r|#)?([0-9]{1,3})(?:(?:ヶ|か|カ|ケ|箇)?月目?|回戦|回目?|局目?|戦目?|"
    r"番目?|\.|st|nd|rd|th)?"
)
_MONTH_NAMES: Final = (
    "一 睦月 正月 一月 january jan",
    "二 如月 二月 february feb",
    "三 弥生 三月 march mar",
    "四 卯月 四月 april apr",
    "五 皐月 五月 may",
    "六 水無月 六月 june jun",
    "七 文月 七月 july jul",
    "八 葉月 八月 august aug",
    "九 長月 九月 september sept sep",
    "十 神無月 十月 october oct",
    "十一 霜月 十一月 november nov",
    "十二 師走 十二月 december dec",
)
_MONTHS: Final = {
    word: number for number, words in enumerate(_MONTH_NAMES, start=1) for word in words.split()
}
_MONTH_WORD: Final = "|".join(word for word in _MONTHS if word.isascii())
#: A month converted by a spreadsheet into the date of its first day, or into month and year.
_DATED_MONTH: Final = re.compile(
    r"(?:[0-9]{4}[-/.年])?0?([0-9]{1,2})[-/月]0?1日?"
    r"|[0-9]{4}[-/.年]0?([0-9]{1,2})(?:月|[-/.]0?1)?"
    rf"|(?:0?1-)?({_MONTH_WORD})[-/']?(?:[0-9]{{4}}|[0-9]{{2}})?"
)
#: Kanji that write numbers, as digits and powers of ten.
_KANJI_DIGITS: Final = {kanji: digit for digit, kanji in enumerate("〇一二三四五六七八九")}
_KANJI_POWERS: Final = {"十": 10, "百": 100, "千": 1000}
_KANJI_NUMBER: Final = re.compile("[〇零一二三四五六七八九十百千]{1,12}")
#: Shares, times and places, in columns that are no amounts.
_MEASURE: Final = re.compile(
    r"[+-]?[0-9]{1,12}(?:[.,][0-9]{1,12})?(?:[%‰位分秒]|時間|min|sec)"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,3}勝(?:[0-9]{1,3}敗)?"
)

#: The plant of a month, after its number.
_PLANT: Final = re.compile(rf"\(?(?:{'|'.join(plant.ja for plant in PLANTS)})\)?$")

#: Words after a month that was played again, and a grade, as the document of hachihachi writes it.
_AGAIN: Final = re.compile(r"\(?(?:流れ|流|やり直し|やりなおし|再試合|再戦|再)\)?$")
_GRADE_AFTER: Final = re.compile(r"(?<=月)\(?((?:小|大|絶)(?:小|大|絶|場|二|代|2)*)\)?$")

#: A grade carried on, also written twice: 大大.
_BOUND: Final = r"(?P<bound>2|二|二代|\(2\)|\(二代\)|(?P=grade))?"
_GRADES: Final = {
    "small": ("小", "小場", "koba", "small"),
    "large": ("大", "大場", "oba", "large"),
    "absolute": ("絶", "絶場", "zetsuba", "absolute"),
}

#: Marks of the dealer next to an amount.
_MARK: Final = re.compile(r"\(親\)|[親◎●★☆*]")
_MINUS: Final = str.maketrans(dict.fromkeys("−–—―‐‑‒ー▲△▼▽", "-"))
#: An amount with the yaku it was paid for: 7文（赤短）, 赤短 7文. After the yaku the unit is
#: needed, because タン 7 can be seven ribbons.
_WITH_YAKU: Final = re.compile(
    r"(?P<amount>[^()]+)\((?P<after>[^()0-9]+)\)"
    r"|(?P<before>[^\s()0-9]+)\s+(?P<first>\S+(?:文|点|mon|points?|pts?))"
)
_BETWEEN_YAKU: Final = re.compile("[・、,+/]")
#: Texts of a cell without a value.
NOTHING: Final = frozenset(
    (
        *("", "-", "–", "—", "−", "/", "・", "×", "x", "なし", "none"),
        *("流れ", "流", "ながれ", "nagare", "引き分け", "引分け", "引分", "draw", "tie"),
        *("勝者なし", "無勝負", "流局", "nowinner", "no winner"),
        *("降り", "降", "下り", "休み", "休", "out"),
    )
)
#: Words instead of an amount for the player with ふけ (A3).
FUKE: Final = frozenset(("ふけ", "フケ", "fuke"))
_DIGITS: Final = r"(?:[0-9]{1,3}(?:[,' ][0-9]{3})+|[0-9]{1,12})"
_AMOUNT: Final = re.compile(
    rf"(?P<sign>[+\-±]?)(?:(?P<kan>{_DIGITS})(?:\.0+|(?P<tenths>\.50*))?(?:貫|kan|k)(?P<half>半)?)?"
    rf"(?P<points>{_DIGITS})?(?:\.0+)?(?:文|点|mon|points|point|pts|pt)?(?P<minus>-?)"
)
#: The maximum length of a head, label, name or amount. Longer cells are remarks, which are not
#: normalized because normalizing takes quadratic time.
LONGEST_WORD: Final = 200


class Amount(NamedTuple):
    """The amount of a cell: its value in the small unit, or None for an empty cell.

    ``in_kan`` says that it was written in kan. ``mark`` is a mark of the dealer, or ``*``, and
    ``remark`` the yaku written with it.
    """

    value: int | None
    in_kan: bool = False
    mark: str = ""
    remark: str = ""


def key_of(text: str) -> str:
    """Normalize width and case, and remove blanks and trailing points and colons.

    A text that is too long for a word of a notebook is returned unchanged.
    """
    if len(text) > LONGEST_WORD:
        return text
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(plain.split()).rstrip(".:")


_YAKU_NAMES: Final = frozenset(
    key_of(word)
    for name in YAKU.values()
    for word in (name.id, name.romaji, name.ja, name.ja.removesuffix("酒"))
)


def head_of(text: str) -> str | None:
    """Return the meaning of a column from its head, or None for a name.

    >>> [head_of(text) for text in ("月", "Month / Player", "場（格）", "Aya", "Aya累計")]
    ['month', 'month', 'grade', None, 'other']
    >>> [head_of(text) for text in ("Total Aya", "Aya (total)", "Frank", "Totaro")]
    ['other', 'other', None, None]
    """
    key = key_of(text)
    if key not in HEADS and len(text) <= LONGEST_WORD and _FIGURES.search(text):
        return "other"
    return HEADS.get(key) or HEADS.get(re.split(r"[/\\|・(]", key)[0])


def is_count(text: str) -> bool:
    """Return whether a head marks a column that counts deals."""
    return key_of(text) in _COUNTS


def is_total(text: str) -> bool:
    """Return whether a label marks a row of sums.

    >>> is_total("合計"), is_total("合計（文）"), is_total("春計")
    (True, True, False)
    """
    key = key_of(text)
    return len(key) <= LONGEST_WORD and _IN_BRACKETS.sub("", key) in TOTALS


def is_ignored(text: str) -> bool:
    """Return whether a label marks a row to ignore, such as a settlement."""
    return key_of(text) in _IGNORED_ROWS


def is_settlement(text: str) -> bool:
    """Return whether a label marks a row that changes the sums of the months."""
    return key_of(text) in _SETTLEMENTS


def prize_of(text: str) -> str:
    """Return the id of a prize of koi-koi from the label of its row, or ""."""
    return _PRIZES.get(key_of(text), "")


def named_month_of(text: str) -> int | None:
    """Return the number of a month that may have a name of players too, or None.

    >>> [named_month_of(word) for word in ("むつき", "Yayoi", "桜", "Pine", "第3回", "Aya")]
    [1, 3, 3, 1, 3, None]
    """
    if len(text) > LONGEST_WORD:
        return None
    return month_of(text) or card_names.months().get(card_names.key_of(text))


def month_of(text: str) -> int | None:
    """Return the number of a month, or None for another text.

    >>> [month_of(word) for word in ("1", "１月", "2月（梅）", "師走", "Sept.", "第三回戦", "Aya")]
    [1, 1, 2, 12, 9, 3, None]
    >>> [month_of(word) for word in ("2026-02-01", "2月1日", "Feb-26", "2026年2月", "2026-02-03")]
    [2, 2, 2, 2, None]
    >>> [month_of(word) for word in ("3月 大大", "2月（流れ）", "2月 再")]
    [3, 2, 2]
    """
    key = key_of(text)
    if len(key) > LONGEST_WORD:
        return None
    for after in (_AGAIN, _GRADE_AFTER, _PLANT):
        key = after.sub("", key)
    if key in _MONTHS:
        return _MONTHS[key]
    match = _MONTH_NUMBER.fullmatch(_with_digits(key))
    if match is not None:
        return int(match[1])
    dated = _DATED_MONTH.fullmatch(key)
    if dated is None:
        return None
    number = _MONTHS[dated[3]] if dated[3] else int(dated[1] or dated[2])
    return number if number in _MONTHS.values() else None


def grade_of(text: str) -> str | None:
    """Return the id of a grade, with ``2`` for 二代, or None for another text.

    >>> [grade_of(word) for word in ("大場", "絶", "Large", "大場二代", "大大", "ōba", "中")]
    ['large', 'absolute', 'large', 'large2', 'large2', 'large', None]
    """
    if len(text) > LONGEST_WORD:
        return None
    key = unicodedata.normalize("NFKD", key_of(text)).replace("\u0304", "")
    key = unicodedata.normalize("NFC", key)
    for grade, words in _GRADES.items():
        match = re.fullmatch(f"(?P<grade>{'|'.join(words)}){_BOUND}", key)
        if match:
            if not match["bound"]:
                return grade
            return None if grade == "small" else f"{grade}2"
    return None


def grade_after_month(text: str) -> str:
    """Return the grade written after a month, or "".

    >>> grade_after_month("3月 大大"), grade_after_month("3月")
    ('大大', '')
    """
    key = key_of(text)
    match = _GRADE_AFTER.search(key) if len(key) <= LONGEST_WORD else None
    return match[1] if match else ""


def grade_names() -> tuple[str, ...]:
    """Return names of the grades for messages."""
    return tuple(f"{name.ja} ({name.id})" for name in GRADES.values())


def is_like_amount(text: str) -> bool:
    """Return whether a cell is an amount, possibly mistyped (any text with digits)."""
    if len(text) > LONGEST_WORD:
        return False
    return amount_of(text) is not None or any(c.isdigit() for c in text) or key_of(text) in FUKE


def is_measure(text: str) -> bool:
    """Return whether a cell is a share, a time or a place: 50 %, 12:30, 2位."""
    if len(text) > LONGEST_WORD:
        return False
    return _MEASURE.fullmatch(key_of(text)) is not None


def _with_digits(text: str) -> str:
    """Return a text with its numbers in kanji as digits."""
    return _KANJI_NUMBER.sub(lambda number: str(_read_kanji(number[0])), text)


def _read_kanji(number: str) -> int:
    """Return a number in kanji, by places (二〇) or with powers of ten (二十)."""
    number = number.replace("零", "〇")
    total = digits = 0
    for kanji in number:
        if kanji in _KANJI_POWERS:
            total += (digits or 1) * _KANJI_POWERS[kanji]
            digits = 0
        else:
            digits = 10 * digits + _KANJI_DIGITS[kanji]
    return total + digits


def amount_of(text: str) -> Amount | None:
    """Return the amount of a cell, or None for another text.

    >>> [amount_of(word).value for word in ("１２", "▲5", "(18)", "1,200", "-1貫8", "2貫半", "7親")]
    [12, -5, -18, 1200, -20, 30, 7]
    >>> [amount_of(word).value for word in ("五文", "〇", "零", "十二文", "二貫三文", "-1.5貫")]
    [5, 0, 0, 12, 27, -18]
    >>> amount_of("7文（赤短）")[0::3], amount_of("赤短・くさ 12文")[0::3]
    ((7, '赤短'), (12, '赤短・くさ'))
    """
    if len(text) > LONGEST_WORD:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = plain.replace("マイナス", "-").replace("プラス", "+")
    mark = _MARK.search(plain)
    bare = _MARK.sub("", plain, count=1).strip()
    with_yaku = _WITH_YAKU.fullmatch(bare)
    remark = ""
    if with_yaku and _are_yaku(remark := with_yaku["before"] or with_yaku["after"]):
        bare = with_yaku["amount"] or with_yaku["first"]
    amount = _read_amount(bare.translate(_MINUS))
    return amount and amount._replace(mark=mark[0] if mark else "", remark=remark)


def value_of(text: str) -> int:
    """Return the amount of a cell in the small unit, 0 for an empty cell and for other texts."""
    amount = amount_of(text)
    return (amount and amount.value) or 0


def are_amounts(texts: Iterable[str]) -> bool:
    """Return whether most texts that are not empty are like amounts."""
    filled = [text for text in texts if text]
    return 2 * sum(is_like_amount(text) for text in filled) > len(filled)


def _are_yaku(text: str) -> bool:
    """Return whether a text names yaku."""
    return all(key_of(word) in _YAKU_NAMES for word in _BETWEEN_YAKU.split(text))


def _read_amount(bare: str) -> Amount | None:
    """Return the amount of a normalized text without a mark and yaku, or None."""
    if bare in NOTHING:
        return Amount(None)
    is_negative = bare.startswith("(") and bare.endswith(")")
    if is_negative:
        bare = bare[1:-1].strip()
    # Blanks are only significant between digits, as separators of thousands.
    match = _AMOUNT.fullmatch(re.sub(r"(?<![0-9])\s+|\s+(?![0-9])", "", _with_digits(bare)))
    if match is None or not (match["kan"] or match["points"]):
        return None
    is_signed = match["sign"] == "-" or match["minus"] == "-" or is_negative
    if (match["sign"] != "") + (match["minus"] != "") + is_negative > 1:
        return None
    kan, points = (int(re.sub(r"\D", "", match[name] or "0")) for name in ("kan", "points"))
    if match["tenths"] and match["half"]:
        return None
    value = KAN * kan + (KAN // 2 if match["tenths"] or match["half"] else 0) + points
    if value > MAX_AMOUNT or (match["sign"] == "±" and value):
        return None
    return Amount(-value if is_signed else value, bool(match["kan"]))
