"""The folded walks as columns of one canonical order, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import numpy as np

from asterism.core.ledger.columns import Column, Columns, text_column, texts_of
from asterism.core.ledger.items import Position
from asterism.core.walkers.effects import tie_of
from asterism.core.walkers.fold import Crystal, Laid, Walks
from asterism.core.walkers.parameters import ExplorationParameters

NUMBERS = ("energy", "weight", "permanence")


def dump(walks: Walks) -> Columns:
    """Pack the walks; nothing if no item was folded."""
    assert not walks.stale, "stale walks are folded anew before they are packed"
    if walks.position is None:
        return {}
    counts = [walks.position.at, walks.explorations, walks.dropped, walks.capped]
    columns: Columns = {
        "counts": np.array(counts, dtype=np.int64),
        "position": np.frombuffer(walks.position.id, dtype=np.uint8),
        "narratives": _texts([key, *made] for key, made in sorted((walks.narratives | walks.away).items())),
        "ties": _texts(tie for _, tie in sorted((walks.ties | walks.away_ties).items())),
    }
    if walks.forgotten:
        columns["forgotten"] = text_column(sorted(walks.forgotten))
    for name in NUMBERS:
        columns |= _numbers(name, getattr(walks, name))
    every = [(link, laid) for link in sorted(walks.colours) for laid in walks.colours[link]]
    vectors = sorted({(laid.embedder, laid.vector) for _, laid in every})
    number = {vector: place for place, vector in enumerate(vectors)}
    return columns | {
        "vectors": _texts(vectors),
        "colours": text_column([link for link, _ in every]),
        "colours_share": np.array([laid.share for _, laid in every], dtype=np.float64),
        "colours_vector": np.array([number[laid.embedder, laid.vector] for _, laid in every], dtype=np.int64),
    }


def load(columns: Columns, parameters: ExplorationParameters) -> Walks:
    """Unpack what `dump` packed."""
    walks = Walks(parameters)
    if not columns:
        return walks
    at, walks.explorations, walks.dropped, walks.capped = columns["counts"].tolist()
    walks.position = Position(at, columns["position"].tobytes())
    for name in NUMBERS:
        setattr(walks, name, dict(zip(texts_of(columns[name]), columns[f"{name}_value"].tolist(), strict=True)))
    walks.forgotten = set(texts_of(columns["forgotten"])) if "forgotten" in columns else set()
    for key, *row in _rows(columns["narratives"]):
        name, content, weight, energy, vector, embedder, sources, made = row
        there = walks.away if key in walks.forgotten else walks.narratives
        there[key] = Crystal(name, content, weight, energy, vector, embedder, tuple(sources), made)
    for tie in map(tie_of, _rows(columns["ties"])):
        ties = walks.ties if walks.forgotten.isdisjoint((tie.a, tie.b)) else walks.away_ties
        ties[tie.a, tie.b] = tie
    vectors = _rows(columns["vectors"])
    laid = zip(
        texts_of(columns["colours"]), columns["colours_share"].tolist(), columns["colours_vector"].tolist(), strict=True
    )
    for link, share, number in laid:
        embedder, vector = vectors[number]
        walks.colours[link] = (*walks.colours.get(link, ()), Laid(share, vector, embedder))
    return walks


def _numbers(name: str, values: Mapping[str, float]) -> Columns:
    keys = sorted(values)
    return {
        name: text_column(keys),
        f"{name}_value": np.array([values[key] for key in keys], dtype=np.float64),
    }


def _texts(rows: Iterable[object]) -> Column:
    return text_column([json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows])


def _rows(column: Column) -> list[list]:  # type: ignore[type-arg]  # what `dump` packed, cell by cell
    return [json.loads(text) for text in texts_of(column)]
