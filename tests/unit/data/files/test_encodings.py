"""Declared encodings become UTF-8 piece by piece, and a wrong byte is named with its line."""

import codecs

import pytest

from dpengine.data.files import encodings
from dpengine.data.files.encodings import ENCODINGS, as_utf8
from dpengine.data.files.first_look import proposed_encoding
from dpengine.data.files.limits import DECODED_BYTES
from dpengine.errors import IntakeError

LETTERS = {
    "shift_jis": "表 アB\n", "gb18030": "中文😀B\n", "big5": "中文B\n", "euc-kr": "한국B\n",
    "windows-1251": "ЖщB\n", "utf-8": "é中😀B\n", "utf-16": "é中😀B\n", "ascii": "aB\n",
}  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("chunk", [1, 3, 4, 10])
def test_letters_may_lie_across_pieces(monkeypatch, encoding, chunk):
    monkeypatch.setattr(encodings, "_CHUNK", chunk)
    text = LETTERS.get(encoding, "éB\n") * 20
    assert bytes(as_utf8(text.encode(encoding), encoding)).decode() == text


@pytest.mark.parametrize(
    "mark, written, encoding",
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
        (b"\x84\x31\x95\x33", "gb18030", "gb18030"),
    ],
)
@pytest.mark.parametrize("chunk", [5, 2**22])
def test_a_byte_order_mark_is_no_letter(monkeypatch, mark, written, encoding, chunk):
    monkeypatch.setattr(encodings, "_CHUNK", chunk)
    assert bytes(as_utf8(mark + "a,é\n".encode(written), encoding)).decode() == "a,é\n"


@pytest.mark.parametrize("chunk", [2, 7, 64])
@pytest.mark.parametrize(
    "content, encoding, line",
    [
        (b"a\nb\n" * 20 + b"\xff\n", "utf-8", 41),
        ("é\n".encode() * 20 + b"\xc3", "utf-8", 21),
        ("é\n".encode() * 20 + b"\xe4\xb8\n", "utf-8", 21),
        (b"a\n" * 9 + b"\xe9", "ascii", 10),
        (codecs.BOM_UTF16_LE + "a\u0a0a\n".encode("utf-16-le") * 20 + b"\x00\xdc\n\0", "utf-16", 21),
        (codecs.BOM_UTF16_BE + "a\n".encode("utf-16-be") * 20 + b"\xdc\x00\0\n", "utf-16", 21),
        ("表\n".encode("shift_jis") * 5 + b"\x81", "shift_jis", 6),
    ],
)
def test_the_line_that_cannot_be_read_is_named(monkeypatch, content, encoding, line, chunk):
    monkeypatch.setattr(encodings, "_CHUNK", chunk)
    with pytest.raises(IntakeError, match=f"^Line {line} cannot be read as {encoding}. Try the encoding "):
        as_utf8(content, encoding)


def test_a_part_of_a_text_may_end_within_a_letter():
    assert as_utf8("aé".encode()[:-1], "utf-8", whole=False) == "aé".encode()[:-1], "left to the next letter's reader"
    assert as_utf8("a中".encode("utf-16")[:-1], "utf-16", whole=False) == b"a"
    with pytest.raises(IntakeError, match="cannot be read"):
        as_utf8("aé".encode()[:-1], "utf-8")


def test_a_text_that_grows_beyond_the_limit_is_refused():
    letters = "€".encode("windows-1252") * (DECODED_BYTES // 3 + 1)
    with pytest.raises(IntakeError, match="at most 268,435,456"):
        as_utf8(letters, "windows-1252")


@pytest.mark.parametrize("byte", [b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d"])
def test_a_byte_that_windows_does_not_know_is_of_latin_1(byte):
    assert proposed_encoding(b"K" + byte + b"ln") == "iso-8859-1"
    assert proposed_encoding(b"K\xf6ln") == "windows-1252", "the control"
    assert as_utf8(b"K" + byte + b"ln", "iso-8859-1")
