"""The index of recall as columns of a cache: its entries, the vectors of its words, where those of its texts are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from asterism.core.ledger.columns import Columns, prefixed, texts_of, under
from asterism.core.recall.index import Index
from asterism.core.recall.vectors import Matrix
from asterism.engine.recall.word_vectors import coded, decoded


@dataclass(frozen=True, slots=True)
class Packed:
    """What a cache holds of an index."""

    seq: int  # of the last item that was in it
    index: Index
    stamps: dict[str, int]  # by id: what an entry was made of
    words: Matrix  # none, or a row for each word of the index
    places: npt.NDArray[np.int64]  # of the vector of each entry; -1 where there is none


def packed(seq: int, index: Index, *, stamps: Mapping[str, int], words: Matrix, places: Sequence[int]) -> Columns:
    """Pack an index; `places` stand in the order of the ids. Vectors of words are kept if each word has one."""
    columns = prefixed("index", index.dump())
    numbers = [index.words.numbers[word] for word in texts_of(columns["index.words.names"])]
    codes, power = coded(words[numbers if len(words) == len(index.words.names) else []])
    return columns | {
        "seq": np.array([seq], dtype=np.int64),
        "stamps": np.array([stamps[name] for name in sorted(stamps)], dtype=np.uint32),
        "places": np.array(places, dtype=np.int32),
        "words": codes,
        "words_power": power,
    }


def unpacked(columns: Columns) -> Packed | None:
    """Unpack an index; None if it is damaged."""
    try:
        index = Index.load(under("index", columns))
        (seq,) = columns["seq"].tolist()
        stamps = dict(zip(index.ids, columns["stamps"].tolist(), strict=True))
        words = decoded(columns["words"].astype(np.int8), columns["words_power"].astype(np.int8))
        places = columns["places"].astype(np.int64)
        whole = len(places) == len(index.ids) and len(words) in (0, len(index.words.names))
    except (LookupError, ValueError):
        return None
    return Packed(seq, index, stamps, words, places) if whole else None
