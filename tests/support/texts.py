"""Texts that an embedder meets."""

from __future__ import annotations

ODD = {
    "ascii": "Slept badly, gloomy all day.",
    "ideographs": "昨夜はよく眠れなかった。東京の空は灰色だ。",
    "right to left": "ישנתי רע, כל היום היה אפור. نمت نوما سيئا",
    "emoji": "🐟👨‍👩‍👧 🎉",
    "accents": "Café naïve Ångström",
    "combining": "Cafe\u0301 nai\u0308ve",
    "control": "a\x00b\x07c\u200bd",
    "lines": "one\ntwo\r\n\tthree",
    "marks": "<s> </s> <unk> [CLS] [MASK] <0x41>",
    "html and sql": "<script>alert(1)</script> '; DROP TABLE x; --",
    "spaces": "  much   room  ",
    "low line": "▁▁a▁b",
    "long word": "x" * 3_000,
    "number": "3.14159 -2e10 ٣",
    "ligature": "ﬁsh ＦＵＬＬ",
    "outside the first plane": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠀀𠀁",
}
PLAIN = [
    "The cat sat on the mat.",
    "A kitten was lying on the rug.",
    "Interest rates rose by a quarter of a point.",
    "The central bank made borrowing more expensive.",
    "She plays the violin in an orchestra.",
]
