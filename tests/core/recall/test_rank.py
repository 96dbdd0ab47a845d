"""The ranking: signals that sum, links that lead, reasons why not, and independence of order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.graph import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.links import LINK_SIGNALS
from asterism.core.recall.match import MATCH_SIGNALS
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import LACKS, Hit, Recall
from asterism.core.recall.signals import FIRST_SIGNALS, Query
from asterism.core.recall.times import TIME_SIGNALS
from asterism.core.recall.vectors import Meaning
from asterism.errors import InputError
from tests.support.ties import Ties

P = RecallParameters()
KINDS_OF_WORD = {"kickboxing": 0, "exercise": 0, "exercises": 0, "soup": 1, "dinner": 1, "lake": 2}


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Count words by kind: a small world in which kickboxing is exercise."""
    rows = np.zeros((len(texts), 3), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().replace("?", "").split():
            if word in KINDS_OF_WORD:
                rows[row, KINDS_OF_WORD[word]] += 1.0
        length = np.linalg.norm(rows[row])
        rows[row] /= length or 1.0
    return rows


def index_of(entries: Sequence[Entry]) -> Index:
    index = Index()
    for entry in entries:
        index.add(entry)
    return index


def recall_of(entries: Sequence[Entry], *, vectors: bool = False, p: RecallParameters = P) -> Recall:
    index = index_of(entries)
    texts = {entry.id: entry.text for entry in entries}
    meaning = None
    if vectors:
        own = embed([texts[one] for one in index.ids])
        meaning = Meaning(index, p, entries=own, words=embed(index.words.names))
    return Recall(index, p, meaning=meaning)


def asked(text: str, *, intention: str = "") -> Query:
    spoken = sorted(set(text.lower().replace("?", "").split()))
    words = dict(zip(spoken, embed(spoken), strict=True))
    aim = embed([intention])[0] if intention else None
    return Query(text, vector=embed([text])[0], words=words, intention=intention, intention_vector=aim)


PASSAGES = [
    Entry("film", "It was directed by Steve Carver and filmed in Rome.", name="Lone Wolf"),
    Entry("man", "He was born in Brooklyn.", name="Steve Carver"),
    Entry("twin", "Another film by Steve Carver.", name="Big Bad Mama"),
    Entry("far", "A lake in the north.", name="Inari"),
    Entry("city", "Old and large.", name="Rome"),
]


def test_a_two_hop_question_finds_its_second_passage() -> None:
    hits = recall_of(PASSAGES).ask(Query("Where was the director of Lone Wolf born?"), k=3)
    assert [hit.id for hit in hits][:2] == ["film", "man"]
    led = {via.kind: (via.source, via.name) for via in hits[1].via}
    assert led["mention"] == ("film", "steve carver")
    assert "mention_rest" in led  # the man's page says "born", the film's does not


def test_links_run_backwards_and_over_shared_names() -> None:
    recall = recall_of(PASSAGES)
    by_man = {hit.id: hit for hit in recall.ask(Query("Brooklyn"), k=5)}
    assert {via.kind for via in by_man["film"].via} >= {"mentioned_by"}
    by_film = {hit.id: hit for hit in recall.ask(Query("filmed"), k=5)}
    assert {"shared_term"} <= {via.kind for via in by_film["twin"].via}


def test_a_name_in_the_question_leads_nowhere() -> None:
    hits = {hit.id: hit for hit in recall_of(PASSAGES).ask(Query("What did Steve Carver direct?"), k=5)}
    assert not [via for hit in hits.values() for via in hit.via if via.name == "steve carver"]


def test_the_second_hop_goes_on_from_what_the_first_one_found() -> None:
    chain = [
        Entry("a", "The gate of Bell Tower.", name="Gate"),
        Entry("b", "It stands in Karesuando.", name="Bell Tower"),
        Entry("c", "A village.", name="Karesuando"),
        *(Entry(f"z{number}", f"gate number {number}") for number in range(9)),
    ]
    p = RecallParameters.build("seed", {"hop_from": 1, "weight_mention": 9.0, "weight_name": 0.0, "hop_scale": 50.0})
    recall = recall_of(chain, p=p)
    once = {hit.id: hit for hit in recall.ask(Query("the gate of what"), k=20)}
    twice = {hit.id: hit for hit in recall.ask(Query("the gate of what"), k=20, hops=2)}
    assert not once["c"].via
    assert [(via.kind, via.source) for via in twice["c"].via] == [("mention", "b")]
    assert [(via.kind, via.source) for via in twice["b"].via if via.kind == "mention"] == [("mention", "a")]


def test_given_links_count_by_their_strength() -> None:
    recall = recall_of(PASSAGES)
    rows = recall.index.rows
    ties = Ties([rows["film"]], [rows["far"]], [0.6], rows=len(rows))
    tied = Recall(recall.index, P, given={"co_occurs": ties})
    far = {hit.id: hit for hit in tied.ask(Query("Lone Wolf"), k=5)}["far"]
    assert far.signals["co_occurs"] == pytest.approx(0.6 * P.weight_co_occurs)
    assert [(via.kind, via.source, via.name) for via in far.via] == [("co_occurs", "film", "")]


def test_an_answer_is_found_by_the_question_before_it() -> None:
    talk = ["How was the pottery class?", "Lovely, I made a bowl.", "Nice weather today.", "Yes.", "Bye."]
    turns = [Entry(f"t{place}", text, group="s", position=place) for place, text in enumerate(talk)]
    hits = recall_of(turns).ask(Query("Who went to the pottery class?"), k=2)
    assert {hit.id for hit in hits} == {"t0", "t1"}
    assert next(hit for hit in hits if hit.id == "t1").signals["answers"] > 0


def test_speaker_date_and_time_are_signals() -> None:
    turns = [
        Entry("a", "I went there yesterday.", group="s", speaker="Ann Lee", at=to_micros("2023-05-09T12:00:00Z")),
        Entry("b", "I went there too.", group="s", position=1, speaker="Bob", at=to_micros("2023-06-09T12:00:00Z")),
        Entry("c", "I went there as well."),
    ]
    hits = {hit.id: hit for hit in recall_of(turns).ask(Query("When did Ann go there, on 9 May 2023?"), k=3)}
    assert hits["a"].signals["date"] == pytest.approx(2.3 * P.weight_date)
    assert hits["b"].signals["date"] == pytest.approx(0.3 * P.weight_date)
    assert "date" not in hits["c"].signals
    assert "speaker" in hits["a"].signals
    assert "speaker" not in hits["b"].signals
    assert "when" in hits["a"].signals
    assert "group" not in hits["c"].signals


def test_a_word_of_the_same_kind_is_found_with_vectors_only() -> None:
    entries = [
        Entry("k", "kickboxing on mondays"),
        Entry("e", "exercises"),
        Entry("s", "soup for all"),
        Entry("l", "the lake"),
    ]
    query = asked("what exercise?")
    plain = {hit.id: hit for hit in recall_of(entries).ask(query)}
    near = {hit.id: hit for hit in recall_of(entries, vectors=True).ask(query)}
    assert not {"kin", "meaning"} & set(plain["k"].signals)
    assert near["k"].signals["kin"] > 0 < near["k"].signals["meaning"]
    assert "kin" not in near["s"].signals


def test_kin_keeps_the_nearest_words_ties_by_name() -> None:
    index = index_of([Entry("a", "kickboxing exercise soup dinner lake")])
    words = embed(index.words.names)
    p = RecallParameters.build("seed", {"kin_words": 1, "kin_likeness": -1.0})
    meaning = Meaning(index, p, entries=embed(["lake"]), words=words)
    assert [word for word, _ in meaning.kin("fitness", embed(["exercise"])[0])] == ["exercise"]
    assert Meaning(index, p, entries=embed(["lake"])).kin("fitness", embed(["exercise"])[0]) == []


def test_an_entry_without_a_vector_yet_is_recalled_by_its_words() -> None:
    recall = recall_of([Entry("a", "lake"), Entry("b", "soup")], vectors=True)
    recall.index.add(Entry("c", "lake dinner"))
    hits = {hit.id: hit for hit in recall.ask(asked("lake"))}
    assert "meaning" in hits["a"].signals
    assert "meaning" not in hits["c"].signals
    assert "keyword" in hits["c"].signals


def test_vectors_that_do_not_differ_say_nothing() -> None:
    hits = recall_of([Entry("a", "lake"), Entry("b", "lake")], vectors=True).ask(asked("lake"))
    assert all("meaning" not in hit.signals for hit in hits)
    assert recall_of([Entry("a", "x"), Entry("b", "y")], vectors=True).ask(asked("lake"))[0].id == "a"


def test_the_intention_pulls_its_quarter() -> None:
    entries = [Entry("d", "dinner"), Entry("k", "kickboxing"), Entry("l", "lake")]
    recall = recall_of(entries, vectors=True)
    without = {hit.id: hit for hit in recall.ask(asked("lake"))}
    aimed = {hit.id: hit for hit in recall.ask(asked("lake", intention="kickboxing"))}
    assert aimed["k"].score > without["k"].score
    assert aimed["k"].signals["keyword"] == pytest.approx(P.weight_keyword / 3)
    assert aimed["l"].score > aimed["k"].score


def test_a_budget_takes_what_fits_in_the_order_of_rank() -> None:
    entries = [Entry("long", "lake " * 40), Entry("short", "lake lake rain snow"), Entry("tiny", "lake")]
    recall = recall_of(entries)
    everything = recall.ask(Query("lake"))
    assert {hit.id: hit.tokens for hit in everything} == {"long": 50, "short": 5, "tiny": 1}
    assert {hit.id for hit in recall.ask(Query("lake"), budget_tokens=7)} == {"short", "tiny"}


def test_a_filter_keeps_entries_out() -> None:
    recall = recall_of(PASSAGES)
    allowed = np.array([one != "film" for one in recall.index.ids])
    query = Query("Where was the director of Lone Wolf born?")
    assert "film" not in [hit.id for hit in recall.ask(query, allowed=allowed)]
    why = recall.why_not("film", query, k=2, allowed=allowed)
    assert not why.allowed
    assert why.changes == ()


def test_why_not_says_what_is_missing() -> None:
    recall = recall_of(PASSAGES)
    query = Query("Where was the director of Lone Wolf born?")
    why = recall.why_not("far", query, k=2)
    last = recall.ask(query, k=2)[-1]
    assert (why.rank, why.allowed) == (5, True) or why.rank > 2
    assert why.needed == pytest.approx(last.score)
    assert why.score == pytest.approx(sum(why.signals.values()))
    for change in why.changes:
        assert change.needed - change.value == pytest.approx(why.needed - why.score)
    assert [change.possible for change in why.changes] == sorted((c.possible for c in why.changes), reverse=True)
    assert {change.signal for change in why.changes} >= {"keyword", "mention"}
    inside = recall.why_not("film", query, k=2)
    assert (inside.rank, inside.changes) == (1, ())
    assert recall.why_not("far", query, k=9).changes == ()
    with pytest.raises(InputError, match="there is no entry 'nobody'"):
        recall.why_not("nobody", query)


def test_ties_go_to_the_smaller_id() -> None:
    entries = [Entry(f"{number:03d}", "lake") for number in range(200)]
    recall = recall_of(entries[::-1])
    assert [hit.id for hit in recall.ask(Query("lake"), k=3)] == ["000", "001", "002"]
    assert recall.ask(Query("lake"), k=0) == []
    assert recall.why_not("007", Query("lake"), k=3).rank == 8


def test_an_empty_memory_answers_nothing() -> None:
    assert recall_of([]).ask(Query("lake")) == []
    assert recall_of([], vectors=True).ask(asked("lake")) == []


def test_a_removed_entry_is_not_recalled_and_leads_nowhere() -> None:
    recall = recall_of(PASSAGES)
    recall.index.remove("film")
    hits = recall.ask(Query("Where was the director of Lone Wolf born?"))
    assert "film" not in [hit.id for hit in hits]
    assert all(via.source != "film" for hit in hits for via in hit.via)


def test_every_signal_has_a_weight_and_rare_bounds_agree() -> None:
    assert {
        f"weight_{name}" for name in (*FIRST_SIGNALS, *TIME_SIGNALS, *MATCH_SIGNALS, LACKS, *LINK_SIGNALS, "walk_found")
    } == {name for name, _ in RecallParameters.table() if name.startswith("weight_")}
    assert RecallParameters.build("lexical").weight("meaning") == 0.0
    with pytest.raises(InputError, match="rare_at_least = 9 is above rare_at_most = 3"):
        RecallParameters.build("seed", {"rare_at_least": 9, "rare_at_most": 3})


TEXTS = ["Ann painted a lake", "What did Ann paint?", "soup in Rome", "Rome is old", "", "exercise with Bob Lee"]
ENTRIES = st.lists(
    st.builds(
        Entry,
        id=st.integers(0, 30).map(str),
        text=st.sampled_from(TEXTS),
        name=st.sampled_from(["", "Rome", "Bob Lee"]),
        group=st.sampled_from(["", "one", "two"]),
        position=st.integers(0, 4),
        speaker=st.sampled_from(["", "Ann"]),
        at=st.one_of(st.none(), st.integers(0, 10**15)),
        times=st.lists(st.integers(0, 10**15), max_size=3).map(sorted).map(tuple),
    ),
    max_size=15,
    unique_by=lambda entry: entry.id,
)


def shown(hits: list[Hit]) -> list[tuple[str, float, dict[str, float], object]]:
    return [(hit.id, round(hit.score, 7), {k: round(v, 7) for k, v in hit.signals.items()}, hit.via) for hit in hits]


@given(ENTRIES, st.randoms(use_true_random=False), st.sampled_from([1, 2]))
@settings(max_examples=30)
def test_the_answer_is_a_function_of_the_set_of_entries(entries: list[Entry], chance: object, hops: int) -> None:
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    query = asked("When did Ann paint the lake in May 1970?")
    hits = recall_of(entries, vectors=True).ask(query, hops=hops)
    again = recall_of(shuffled, vectors=True).ask(query, hops=hops)
    assert [one[:3] for one in shown(hits)] == [one[:3] for one in shown(again)]
    for hit in hits:
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)
        assert all(via.value == pytest.approx(hit.signals[via.kind]) for via in hit.via)
    scores = [round(hit.score, 9) for hit in hits]
    assert scores == sorted(scores, reverse=True)
