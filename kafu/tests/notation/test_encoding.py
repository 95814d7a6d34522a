"""Detecting the encoding of bytes."""

from __future__ import annotations

import io
from typing import Final

import pytest

from kafu.notation.stream.encoding import (
    detect_file_encoding,
    detect_piece_encoding,
    utf16_length,
)
from kafu.notation.stream.extent import Extent, piece_at
from kafu.notation.stream.kinds import find_binary_fault

#: Two names each.
JAPANESE: Final = """
    佐藤花子・勇 鈴木太郎・進 高橋健太・幸子 田中翔・桃子 渡辺大輔・楓 山本美咲・葵
    小林さくら・陽菜 加藤蓮・結衣 吉田悠真・湊 佐々木一郎・和也 山口恵子・次郎
    松本由美・誠 井上直樹・浩 斎藤千代・茂 清水ハナ・実 長谷川遥・梅
"""
CHINESE: Final = """
    王伟・李娜 张敏・刘洋 陈静・杨帆 赵磊・黄丽 周杰・吴强 徐军・孙勇 朱艳・林芳
    郭明・何平 高飞・罗丹 郑凯・宋佳
"""


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"", "utf-8"),
        (b"[Kafu", "utf-8"),
        ("花見".encode("cp932"), "utf-8"),
        ("[Kafu".encode("utf-16"), "utf-16-le"),
        (b"\xfe\xff\x00[", "utf-16-be"),
        ("月,花,勉,役".encode("iso2022_jp"), "utf-8"),
        ("[Kafu".encode("utf-16-le"), "utf-16-le"),
        ("[Kafu 花".encode("utf-16-be"), "utf-16-be"),
        (b"\x00\x00\x01\x02" * 9, "binary"),
        (b"\x01\x02\x03text", "binary"),
        (b"a game " * 50 + b"\x00", "utf-8"),
    ],
)
def test_encoding_of_a_file_is_detected_from_its_beginning(head: bytes, encoding: str) -> None:
    assert detect_file_encoding(head) == encoding


def test_encoding_of_a_piece_is_detected_with_its_first_fault() -> None:
    for data, found in [
        (b"abc", ("utf-8", None)),
        ("花子 ﾊﾅ".encode("iso2022_jp_ext"), ("iso2022_jp_ext", None)),
        (b"\x1b$B0!", ("iso2022_jp_ext", None)),
        (b"\x1b$B0", ("utf-8", None)),
        ("花札".encode(), ("utf-8", None)),
        ("花札で遊ぶ".encode("cp932"), ("cp932", None)),
        ("花子 太郎".encode("euc_jp"), ("euc_jp", None)),
        ("山田樹 ハナ".encode("euc_jp"), ("euc_jp", None)),
        ("张敏 刘洋".encode("gb18030"), ("gb18030", None)),
        ("ﾔﾏﾀﾞ ﾀﾛｳ".encode("cp932"), ("cp932", None)),
        ("Müller, José, D’Angelo".encode("cp1252"), ("cp1252", None)),
        # Plausible in several encodings or in none: refused at the first byte of invalid UTF-8.
        ("高木正 木下正".encode("euc_jp"), ("utf-8", 0)),
        ("磯鱚 鬮".encode("euc_jp"), ("utf-8", 0)),
        ("ﾔﾏﾀﾞ".encode("cp932"), ("utf-8", 0)),
        ("A\xff\xfe".encode("latin-1"), ("utf-8", 1)),
        (b"\xf0\x40 \xf0\x41", ("utf-8", 0)),
        ("José".encode() + b"\xff", ("utf-8", 5)),
        ("花札".encode() + b"\xff", ("utf-8", 6)),
        (b"ab\xff", ("utf-8", 2)),
        (b"\x81", ("utf-8", 0)),
    ]:
        encoding, bad = found
        assert detect_piece_encoding(data) == encoding, data
        extent = Extent(1, 0, len(data), 1, "kafu", encoding)
        fault = piece_at(io.BytesIO(data), extent).fault
        before = (
            None if fault is None else data.decode("utf-8", "replace")[: (fault.column or 0) - 1]
        )
        assert before == (None if bad is None else data[:bad].decode()), data


@pytest.mark.parametrize(
    "text", ["Иван Зоя", "Ελένη", "Żaneta", "é", "Dvořák", "עדה", "ﾔﾏﾀﾞ", "\ue000"]
)
def test_text_in_utf_8_is_detected_as_such(text: str) -> None:
    assert detect_piece_encoding(text.encode()) == "utf-8"


def test_kanji_that_are_utf_8_by_chance_are_read_as_kanji() -> None:
    data = '[Player1 "一二"]'.replace("一二", "蓮").encode("euc_jp")
    assert data.decode()
    assert detect_piece_encoding(data) == "euc_jp"


@pytest.mark.parametrize(
    ("encoding", "pairs"), [("euc_jp", JAPANESE), ("cp932", JAPANESE), ("gb18030", CHINESE)]
)
def test_names_in_an_old_encoding_are_read_correctly_or_as_utf_8(encoding: str, pairs: str) -> None:
    encodings = [
        detect_piece_encoding(f'[Player1 "{pair}"]'.encode(encoding)) for pair in pairs.split()
    ]
    assert set(encodings) <= {encoding, "utf-8"}
    assert encodings.count(encoding) >= 0.9 * len(encodings)


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("[Kafu".encode("utf-32"), "UTF-32"),
        (b"\0\0\xfe\xff\0\0\0[", "UTF-32"),
        ('[Player1 "花子"]\n'.encode("utf-32-le"), "UTF-32"),
        ('[Player1 "花子"]\n'.encode("utf-32-be"), "UTF-32"),
        ('[Player1 "花子"]\n'.encode("utf-16"), None),
        (b"\0" * 64, None),
        (b"\x01\0\0\0" * 64, None),
    ],
)
def test_encoding_that_is_not_read_is_named(head: bytes, encoding: str | None) -> None:
    fault = find_binary_fault(head)
    assert encoding == (fault and fault.values.get("kind"))


def test_length_in_utf_16_is_counted_across_splits() -> None:
    text = "a花𠮷\ud800"
    data = text.encode("utf-8", "surrogatepass")
    length = len(text.encode("utf-16-le", "surrogatepass"))
    assert utf16_length(data) == length
    for split in range(len(data)):
        assert utf16_length(data[:split]) + utf16_length(data[split:]) == length


def test_compressed_data_is_detected() -> None:
    fault = find_binary_fault(b"PK\x03\x04")
    assert fault is not None and fault.values == {"kind": "zip"}
    assert find_binary_fault(b"[Kafu") is None
