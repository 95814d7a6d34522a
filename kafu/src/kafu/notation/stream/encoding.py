"""Detection of the encoding of a file or piece: UTF-8, UTF-16 or a legacy encoding.

The bytes of a game are ASCII except for names, and a few bytes of a name decode in several
encodings without an error: 花子 in EUC-JP is 仓灰 in GB18030, and half-width kana in Shift_JIS.
Each decoding is therefore rated by its characters: characters of names and related words are
likely, rare characters are not. The figures are in `docs/decisions/0016-encodings.md`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

#: Characters of Japanese family names, given names, and words about games.
_JAPANESE: Final = frozenset(
    "佐藤鈴木高橋田中伊渡辺邊邉山本村小林加吉々口松井上斎斉齋清水崎阿部森池石川下島嶋前岡長谷後近遠青坂福太西"
    "内原野三浦金子竹和柴酒宮横安大今増丸杉塚新平河武千葉菅岩久保市菊地桜堀荒関飯服星永馬場須早成古土沢澤浜濱"
    "秋尾熊桑栗栄片北南東浅矢吹黒白赤緑萩荻梅桃柳竜龍滝瀧門角神津根岸倉蔵寺児玉堤辻樋窪奥米相良有名取広廣戸江"
    "越城所宇都甲笠笹篠樫梶梨栃棚波多摩徳富冨飛鳥羽生沼深牧望月向榎五十嵐六八重七海一瀬四九条郎次健翔輔誠浩隆"
    "修茂正勇進実博豊幸恵洋京節美由真明直陽智裕咲愛彩舞葵結衣菜凛蓮悠湊樹颯達也拓秀英剛学聡淳徹哲康夫義雄昭弘"
    "代遥楓亀杏蘭奈央優希紀沙里莉香織理佳枝絵花華春夏冬晴朝夕日空凪澄光輝照陸風雪霞虹音響琴歌詩文章典則仁礼信"
    "忠孝敬恭寛厚敏俊勝勉努力強泰定治政利男女人士司史志勤功績郁育芽苗若茉萌桐椿菫蒼碧翠朱藍紅緋琉璃珠瑠玲圭佑"
    "祐介助丞之允尚弥哉夜朗善貴崇尊宗彦姫媛君乃寧穏巳鶴虎兵衛門左右吾悟元源喜慶慎晋暁朋麻耶帆歩穂宏洸滉斗登都"
    "会札戦第回親卓杯例練習友家族旅館店記録県区町府道校対局負年寿雅優心乙亜"
)
#: Characters of Chinese names and words about games, simplified.
_CHINESE: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘"
    "杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷"
    "施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳"
    "盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平"
    "刚英华玉萍红娥玲芬燕彩春菊凤洁琳素云莲真环雪荣爱妹香月莺媛珍雅芝丹蓉眉君琴蕊薇菁梦岚苑婕馨韵融园艺咏卿聪"
    "澜纯毓悦昭冰爽茗羽希欣飘育滢馥筠柔竹凝晓欢霄枫芸菲寒伊亚宜可姬影荔枝思秀慧巧美娅翠晶妍茜秋珊莎锦黛青倩婷"
    "姣婉娴瑾颖露瑶怡婵雁蓓浩宇轩然子涵梓晨诺博昊天泽俊熙一鸣嘉志国建立新海山仁波贵福生元全胜学祥才发利清飞彬"
    "富顺信峰光东民永健世广义兴良辉裕河哲亮政谦亨奇固之轮翰朗伯宏言若朋斌栋维启克伦翔旭鹏士以家致树炎德行泰雄"
    "琛钧冠策腾楠榕风航弘佩花牌月年日会友场局第大小老师圆晴跃霖"
)
_JAPANESE_SET: Final = _JAPANESE, "euc_jp", range(0xB0, 0xD0), range(0xD0, 0xF5)
_CHINESE_SET: Final = _CHINESE, "gb2312", range(0xB0, 0xD8), range(0xD8, 0xF8)
#: By encoding: likely characters, and the codec and levels of the character set.
_EAST_ASIAN: Final = {"cp932": _JAPANESE_SET, "euc_jp": _JAPANESE_SET, "gb18030": _CHINESE_SET}
#: Letters with marks in the languages of western Europe.
_LETTERS: Final = frozenset("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþßœšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŒŠŽ")
#: Characters without information about the encoding: punctuation and full-width characters.
_NEUTRAL: Final = re.compile("[\u3000-\u3003\u3005-\u3011\u301c\uff01-\uff5e·’‘“”–—…・ー]")
_PRIVATE: Final = re.compile("[\x80-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_KANA: Final = re.compile("[\u3041-\u309f\u30a1-\u30fa]")
_HALF_WIDTH: Final = re.compile("[\uff61-\uff9f]")
#: A word in half-width kana, with voicing marks only after kana that can be voiced; not between
#: kanji.
_HALF_WIDTH_WORD: Final = re.compile(
    r"(?<![^\x00-\x7f])(?=[ｦ-ﾟ]{2})(?>(?:[ｶ-ﾄﾊ-ﾎ]ﾞ|[ﾊ-ﾎ]ﾟ|[ｱ-ﾝｦ-ｯ]|(?<=.)[ｰ･])+)(?![^\x00-\x7f])"
)
#: A letter of another script within a Latin word.
_WITHIN_WORD: Final = re.compile("(?<=[a-z])[^\x00-\x7f]{1,2}(?=[a-z])")
_WORD: Final = re.compile(r"[^\W\d_]+(?:’[^\W\d_]+)*")

#: Ratings of a character by its kind.
_LIKELY, _COMMON, _RARE, _STRANGE = 1.0, 0.35, 0.1, -0.5
_HALF_WIDTH_RATING: Final = 0.4
UTF8: Final = "utf-8"
UTF16: Final = ("utf-16-le", "utf-16-be")
JIS: Final = "iso2022_jp_ext"
#: The encoding of a whole file that is not text.
BINARY: Final = "binary"

#: The number of bytes at a file's beginning that are examined.
LOOK: Final = 4096
_MULTIBYTE: Final = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
#: The escape sequences of ISO-2022-JP, with which mail programs store Japanese text in ASCII bytes.
_JIS_ESCAPE: Final = re.compile(rb"\x1b(?:\$(?:\(D|[@B])|\([BIJ])")
#: The names of encodings by their codecs.
NAMES: Final = {
    JIS: "ISO-2022-JP",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp932": "Shift_JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB18030",
    "cp1252": "Windows-1252",
}
_HIGH: Final = bytes(range(0x80, 0x100))
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f"))


def rate(text: str, encoding: str) -> float | None:
    """Return the mean rating of a text's characters outside ASCII, at most 1.

    None for a decoding with characters that no text contains.
    """
    if _PRIVATE.search(text):
        return None
    east_asian = _EAST_ASIAN.get(encoding)
    ratings = _rate_east_asian(text, *east_asian) if east_asian else _rate_western(text)
    count = sum(times for _, times in ratings)
    return sum(rating * times for rating, times in ratings) / count if count else None


def _rate_east_asian(
    text: str, likely: frozenset[str], codec: str, first: range, second: range
) -> list[tuple[float, int]]:
    """Return ratings of the characters of an East Asian text, each with the number of characters.

    A rating is how plausible a character is, at most 1: those of ``likely`` most, then those of the
    first and second level of the character set of ``codec``, whose lead bytes are ``first`` and
    ``second``.
    """
    within = sum(len(part) for part in _WITHIN_WORD.findall(text))
    ratings = [(_STRANGE - _COMMON, within)]
    if codec == "euc_jp":
        words = _HALF_WIDTH_WORD.findall(text)
        ratings.append((_HALF_WIDTH_RATING, sum(map(len, words))))
        text = _HALF_WIDTH_WORD.sub("", text) if words else text
    for character, times in Counter(text).items():
        if character.isascii() or _NEUTRAL.match(character):
            continue
        if character in likely or (codec == "euc_jp" and _KANA.match(character)):
            rating = _LIKELY
        elif _HALF_WIDTH.match(character):
            rating = _STRANGE
        else:
            lead = character.encode(codec, "ignore")[:1]
            level = lead[0] if lead else 0
            rating = _COMMON if level in first else _RARE if level in second else _STRANGE
        ratings.append((rating, times))
    return ratings


def _rate_western(text: str) -> list[tuple[float, int]]:
    """Return the ratings of a text in Latin letters: marked letters are in words with others."""
    ratings = []
    for word in _WORD.findall(text):
        marked = [letter for letter in word if not letter.isascii() and letter != "’"]
        is_cased = word.isupper() or word[1:].islower() or "’" in word
        is_word = is_cased and 2 * len(marked) <= len(word) + 1 and _LETTERS.issuperset(marked)
        ratings.append((_LIKELY if is_word else _STRANGE, len(marked) + word.count("’")))
    unmatched = _WORD.sub("", text)
    return [*ratings, (_STRANGE, sum(not letter.isascii() for letter in unmatched))]


#: The least rating of a plausible text, and its least lead over the second-best decoding.
_MIN_RATING: Final = 0.2
_MARGIN: Final = 0.3
#: The least rating of a legacy encoding for a text that is also valid UTF-8.
_MIN_RATING_OVER_UTF8: Final = 0.6
_FIRST_OF_THREE_BYTES: Final = "\u0800"


def detect_legacy_encoding(data: bytes, least: float = _MIN_RATING) -> str | None:
    """Return the only encoding in which a text is plausible; None for no or several encodings.

    >>> detect_legacy_encoding("花子".encode("euc_jp"))
    'euc_jp'
    """
    candidates = []
    for encoding in (*_EAST_ASIAN, "cp1252"):
        if is_decodable(data, encoding):
            text = data.decode(encoding)
            rating = rate(text, encoding)
            if rating is not None and rating >= least - _MARGIN:
                candidates.append((rating, encoding, text))
    if not candidates:
        return None
    rating, encoding, text = max(candidates)
    if rating < least:
        return None
    rival_ratings = [rival for rival, _, decoded in candidates if decoded != text]
    return encoding if not rival_ratings or rating - max(rival_ratings) >= _MARGIN else None


def detect_encoding_over_utf8(data: bytes, text: str) -> str | None:
    """Return the encoding of a text that is valid UTF-8 by chance; None for true UTF-8.

    A few kanji can be pairs of bytes of letters in scripts that nobody mixes.
    """
    if max(text) >= _FIRST_OF_THREE_BYTES or all(map(_is_of_one_script, _NON_ASCII.finditer(text))):
        return None
    return detect_legacy_encoding(data, _MIN_RATING_OVER_UTF8)


_NON_ASCII: Final = re.compile(r"[A-Za-z]?([^\x00-\x7f]+)[A-Za-z]?")


def _is_of_one_script(match: re.Match[str]) -> bool:
    """Return whether letters belong to a Latin word, or form a word of a single other script."""
    if len(match[0]) > len(match[1]):
        return True
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in match[1]}
    return len(match[1]) > 1 and len(scripts) == 1


def detect_file_encoding(head: bytes) -> str:
    """Return the encoding of a file that begins with ``head``: UTF-8, UTF-16 LE or BE, ``binary``.

    UTF-16 is detected by its byte order mark, or by a NUL in nearly every second byte, because tags
    and moves are ASCII. UTF-8 means any 8-bit encoding, to be detected for each piece by
    :func:`detect_piece_encoding`.
    """
    head = head[:LOOK]
    if head.startswith(b"\xff\xfe"):
        return UTF16[0]
    if head.startswith(b"\xfe\xff"):
        return UTF16[1]
    if b"\x00" in head:
        for encoding, nuls, letters in (
            (UTF16[0], head[1::2], head[::2]),
            (UTF16[1], head[::2], head[1::2]),
        ):
            if nuls.count(0) >= 0.4 * len(nuls) and letters.count(0) <= 0.02 * len(letters):
                return encoding
    # A few stray NULs make one game malformed, but not the whole file binary.
    text = _JIS_ESCAPE.sub(b"", head)
    controls = len(text) - len(text.translate(None, _CONTROLS))
    return BINARY if controls > (0.02 if b"\x00" in head else 0.1) * len(head) else UTF8


def detect_piece_encoding(data: bytes) -> str:
    """Return the encoding of a piece in an 8-bit encoding: UTF-8, or a legacy encoding.

    Data with a few bad bytes still counts as UTF-8 if most of its high bytes belong to whole
    characters of three or four bytes.
    """
    if data.isascii():
        return JIS if _JIS_ESCAPE.search(data) and is_decodable(data, JIS) else UTF8
    try:
        return detect_encoding_over_utf8(data, data.decode()) or UTF8
    except UnicodeDecodeError:
        pass
    whole = sum(map(len, _MULTIBYTE.findall(data)))
    high = len(data) - len(data.translate(None, _HIGH))
    return UTF8 if 2 * whole > high else detect_legacy_encoding(data) or UTF8


def is_decodable(data: bytes, encoding: str) -> bool:
    """Return whether all bytes are valid in an encoding."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def utf16_length(data: bytes) -> int:
    """Return the UTF-16 length in bytes of UTF-8 ``data``, even if cut within a character."""
    beginnings = len(data.translate(None, bytes(range(0x80, 0xC0))))
    pairs = len(data) - len(data.translate(None, bytes(range(0xF0, 0x100))))
    return 2 * (beginnings + pairs)
