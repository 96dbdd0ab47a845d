"""What an embedder makes of a question: its vector, those of its words or pieces, and that of the intention."""

from __future__ import annotations

from asterism.core.recall.cues import question_of
from asterism.core.recall.signals import Query
from asterism.core.recall.speakers import Speakers
from asterism.core.recall.vectors import Codes
from asterism.core.text.words import content
from asterism.embed import CheckedEmbedder
from asterism.engine.recall.word_vectors import rounded


def query_of(text: str, intention: str | None, embedder: CheckedEmbedder, speakers: Speakers) -> Query:
    """Make a query: its vector, those of its words, and those of the intention."""
    spoken = sorted(set(content(text))) if embedder.knows_words else []
    meant, named = speakers.without_names, question_of(text).called
    asked = [meant(text), *([meant(text, named)] if named else []), *([meant(intention)] if intention else [])]
    asked += spoken
    pieces: list[Codes] = []
    if embedder.knows_pieces:
        vectors, pieces = embedder.embed_pieces(asked)
    else:
        vectors = embedder.embed(asked)
    words = dict(zip(spoken, rounded(vectors[len(asked) - len(spoken) :]), strict=True))
    return Query(
        text,
        vector=vectors[0],
        plain=vectors[1] if named else vectors[0],
        words=words,
        pieces=pieces[0] if pieces else None,
        piece_words=embedder.words_of_pieces(asked[0]) if pieces else (),
        intention=intention or "",
        intention_vector=vectors[1 + bool(named)] if intention else None,
    )
