"""Measure the embedders: `python -m bench.embedders [--locomo FILE] [NAME ...]` prints their speed and recall.

Recall, on the turns of LoCoMo, is that of plain cosine: the mean share of a question's evidence among the first k turns
of its conversation.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from asterism.embed import Embedder, open_embedder

DEPTHS = (5, 10, 25)
ANSWERABLE = (1, 2, 3, 4)


class Question(NamedTuple):
    text: str
    evidence: frozenset[str]
    category: int


class Conversation(NamedTuple):
    ids: list[str]
    turns: list[str]
    questions: list[Question]


def read(path: Path) -> list[Conversation]:
    found = []
    for told in json.loads(gzip.decompress(path.read_bytes())):
        sessions = {name: turns for name, turns in told["conversation"].items() if re.fullmatch(r"session_\d+", name)}
        turns = [turn for name in sorted(sessions, key=lambda name: int(name[8:])) for turn in sessions[name]]
        ids = [turn["dia_id"] for turn in turns]
        texts = [
            f"{turn['speaker']}: {turn['text']}"
            + (f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else "")
            for turn in turns
        ]
        questions = [
            Question(each["question"], evidence, int(each["category"]))
            for each in told["qa"]
            if (evidence := frozenset(each["evidence"]) & frozenset(ids))
        ]
        found.append(Conversation(ids, texts, questions))
    return found


def recalls(embedder: Embedder, conversations: Sequence[Conversation]) -> list[tuple[int, list[float]]]:
    """Give, for each question, its category and its recall at each depth."""
    found = []
    for conversation in conversations:
        scores = embedder.embed([each.text for each in conversation.questions]) @ embedder.embed(conversation.turns).T
        for question, row in zip(conversation.questions, np.argsort(-scores, axis=1, kind="stable"), strict=True):
            ranked = [conversation.ids[turn] for turn in row[: max(DEPTHS)]]
            hits = [len(question.evidence.intersection(ranked[:depth])) / len(question.evidence) for depth in DEPTHS]
            found.append((question.category, hits))
    return found


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["default", "hashed"])
    parser.add_argument("--locomo", type=Path)
    given = parser.parse_args()
    conversations = read(given.locomo) if given.locomo else []
    texts = [turn for each in conversations for turn in each.turns] or [
        f"Sentence {n} of a plain text." for n in range(2000)
    ]
    for name in given.names:
        start = process_time()
        embedder = open_embedder(name)
        embedder.embed(["The first text of all."])
        first = process_time() - start
        start = process_time()
        embedder.embed(texts)
        cold = process_time() - start
        start = process_time()
        embedder.embed(texts)
        warm = process_time() - start
        say(
            f"{embedder.identity}: first text {1000 * first:.0f} ms CPU, {len(texts)} texts at "
            f"{len(texts) / cold:,.0f} per CPU second, again {len(texts) / warm:,.0f}"
        )
        if conversations:
            found = recalls(embedder, conversations)
            for label, kept in (("all", range(6)), ("categories 1-4", ANSWERABLE)):
                rows = [hits for category, hits in found if category in kept]
                means = " / ".join(f"{100 * mean:.1f}" for mean in np.mean(rows, axis=0))
                say(f"  recall@{'/'.join(map(str, DEPTHS))} {label} ({len(rows)} questions): {means}")


if __name__ == "__main__":
    main()
