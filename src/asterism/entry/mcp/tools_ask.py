"""Tools that ask: recall, explore, why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from asterism.core.ledger.model import NODE_KINDS
from asterism.core.recall.prompt import UNSURE
from asterism.entry.hints import MCP
from asterism.entry.mcp.manner import Manner
from asterism.entry.mcp.paging import OFFSET, PAGE, paged, tokens
from asterism.entry.mcp.schema import given, many, maybe, number, text, truth, whole
from asterism.entry.mcp.tool import Answered, Arguments, Tool
from asterism.entry.mcp.tools_learn import ID
from asterism.entry.mcp.views import (
    BRIEF,
    DETAILED,
    HIT,
    brief_line,
    hit_line,
    hit_of,
    id_of,
    texts_of,
)
from asterism.entry.text.recalled import signal_in_words

if TYPE_CHECKING:
    from asterism.engine.memory import Memory

MOST_HITS = 1_000
QUERY = text("In plain words; a whole question works well.", least=1, most=10_000)
INTENTION = {"intention": text("What the answer is for.", least=1, most=10_000)}


async def recall(memory: Memory, arguments: Arguments, manner: Manner) -> Answered:
    """Recall."""
    from asterism.core.recall.prompt import is_former

    most = int(arguments.get("k", 10))
    answer = await memory.recall(
        arguments["query"],
        k=most,  # the same for every page: pages are pieces of one answer
        intention=arguments.get("intention"),
        walk=bool(arguments.get("walk", False)),
        tags=arguments.get("tags", ()),
        category=arguments.get("category"),
        source=arguments.get("source"),
        since=arguments.get("since"),
        until=arguments.get("until"),
        kinds=arguments.get("kinds", ()),
        floor=arguments.get("floor"),
        spaces=arguments.get("spaces"),
    )
    if answer.unsure and manner.keep_unanswered and not arguments.get("offset"):  # a page more is no other question
        await memory.unanswered(answer.query)
    details = bool(arguments.get("details", manner.full))
    texts = await texts_of(memory, *(each.source for hit in answer.hits for each in hit.links)) if details else {}
    clear = answer.clear_hits
    hits = clear if manner.full else sorted(clear, key=is_former)  # as in a prompt: what holds goes first
    shown = [hit_of(each, texts) for each in hits]
    if not manner.full:  # a budget is for what is told
        shown = [{name: hit[name] for name in (DETAILED if details else BRIEF)} for hit in shown]
    page = paged(shown, arguments, spent=40)
    notes = [*([str(answer.often)] if answer.often else []), *(MCP.say(each) for each in answer.notes)]
    notes = [note for note in notes if note]
    left = len(answer.hits) - len(clear)
    if left:
        notes.append(f"{left} less probable left out: floor=0 shows {'it' if left == 1 else 'them'}")
    if page.offset >= page.total >= most:
        notes.append(f"those were the {most} best: a larger k finds more")
    data = {
        "hits": page.entries,
        "unsure": answer.unsure,
        "searched": answer.searched,
        "notes": notes,
        "page": page.to_dict(),
    }
    told = page.text(hit_line if details else brief_line, empty="Nothing was recalled.")
    return Answered(data, "\n".join([*([UNSURE] if answer.unsure else []), told, *(f"({note})" for note in notes)]))


RECALL = Tool(
    "recall",
    "Recall what is known",
    "Search the memory. Call it before answering what may have come up earlier: people, preferences, decisions, past "
    "problems. Asks of now, of a time (in March, two weeks ago) and of how often work as questions. Changes nothing.",
    {
        "query": QUERY,
        "k": whole("At most so many hits (10).", low=1, high=MOST_HITS, default=10),
        **INTENTION,
        "tags": many(text(least=1), "Only with all of these tags.", most=20),
        "category": text("Only of this category.", least=1),
        "source": text("Only what this source said.", least=1),
        "since": text("Only told since: 2026-01-31 or 2026-01-31T18:30Z."),
        "until": text("Only told until then."),
        "kinds": many(text(one_of=NODE_KINDS), "Only nodes of these kinds."),
        "floor": number("Only hits that answer with at least this probability; 0: whatever is nearest.", low=0, high=1),
        "walk": truth("Also follow links from the best hit; what that finds comes behind.", default=False),
        "spaces": many(text(least=1), "Ask these spaces; show with what=spaces lists them.", least=1, most=100),
        "details": truth("Say why each was found."),
        **OFFSET,
    },
    given(
        {
            "hits": many(HIT),
            "unsure": truth("no hit is likely to answer"),
            "searched": whole(),
            "notes": many(text()),
            "page": PAGE,
        }
    ),
    recall,
    needs=("query",),
    rarely=("category", "source", "kinds", "floor", "walk"),
    by_manner=True,
    reads=True,
    repeats=True,
)


async def explore(memory: Memory, arguments: Arguments) -> Answered:
    """Send walkers out."""
    from asterism.engine.explore.run import ExplorationTimeout

    late = ""
    learns = bool(arguments.get("learn", True)) and not arguments.get("offset")  # a page more is no other walk
    try:
        told = await memory.explore(
            arguments["query"],
            intention=arguments.get("intention"),
            start=arguments.get("start"),
            learn=learns,
            deadline=float(arguments.get("seconds", 30)),
        )
    except ExplorationTimeout as timeout:
        told = timeout.exploration
        late = f"{timeout.message}. Nothing was learned; ask with more seconds."
    texts = await texts_of(memory, *(each.id for each in told.found))
    found = [
        {
            "id": each.id,
            "kind": each.kind,
            "text": texts.get(each.id, ""),
            "alignment": round(each.alignment, 6),
            "path": list(each.path),
        }
        for each in told.found
        if learns or each.id != told.crystallized  # else nobody keeps it
    ]
    kept = told.crystallized if learns else None
    head = f"{told.stop} after {told.steps} steps of {told.walkers} walkers, satisfaction {told.satisfaction:.2f}."
    made = f"Crystallised {kept}." if kept else ""
    why_none = f"Nothing crystallised: {told.declined_because}." if told.declined_because else ""
    page = paged(found, arguments, spent=tokens(head + late + made + why_none) + 40)
    data = {
        "found": page.entries,
        "stop": told.stop,
        "satisfaction": told.satisfaction,
        "steps": told.steps,
        "walkers": told.walkers,
        "crystallized": kept,
        "declined_because": told.declined_because,
        "notes": [late] if late else [],
        "page": page.to_dict(),
    }
    line = page.text(_found_line, empty="Nothing was found.")
    return Answered(data, "\n".join(part for part in (head, late, made or why_none, line) if part))


def _found_line(each: dict[str, Any]) -> str:
    return f"- {each['text']}\n  [{each['id']}] {each['kind']}, {each['alignment']:.2f}, {len(each['path'])} links away"


EXPLORE = Tool(
    "explore",
    "Walk the connections",
    "Follow links from fact to fact, for an answer that lies several links away or to see what hangs together. Slower "
    "than recall: recall first. Unless learn=false, useful paths are remembered and a gap may be filled.",
    {
        "query": QUERY,
        **INTENTION,
        "start": text("The node to start from; else what recall finds first.", least=1, most=10_000),
        "learn": truth("Remember what the walk taught; with an offset it is not learned again.", default=True),
        "seconds": number("Stop after so long, with what was found.", low=0.1, high=120),
        **OFFSET,
    },
    given(
        {
            "found": many(
                given(
                    {
                        "id": text(),
                        "kind": text(),
                        "text": text(),
                        "alignment": number("with the intention"),
                        "path": many(text(), "links from the start"),
                    }
                )
            ),
            "stop": text("why it ended"),
            "satisfaction": number(),
            "steps": whole(),
            "walkers": whole(),
            "crystallized": maybe(text("the narrative that was made")),
            "declined_because": maybe(text()),
            "notes": many(text(), "why it ended too early"),
            "page": PAGE,
        }
    ),
    explore,
    needs=("query",),
    rarely=("seconds",),
)


async def why(memory: Memory, arguments: Arguments) -> Answered:
    """Explain a number, or why something is not among the answers."""
    ids = [await id_of(memory, each) for each in arguments["ids"]]
    query = arguments.get("query")
    if query is not None:
        gate = await memory.why_not(ids[0], query)
        change = MCP.say(gate.change)
        changes = [
            {
                "text": f"{signal_in_words(each.signal)}: {each.needed:.4f} needed"
                + ("" if each.possible else ", out of reach")
            }
            | {"value": each.value}
            for each in gate.changes
        ]
        page = paged(changes, arguments, spent=tokens(change) + 60)
        data = {
            "subject": gate.id,
            "number": "gate",
            "total": gate.value,
            "gate": gate.gate,
            "needed": gate.needed,
            "change": change,
            "lines": page.entries,
            "notes": [],
            "page": page.to_dict(),
        }
        return Answered(data, "\n".join([str(replace(gate, change=change)), page.text(_why_line, empty="")]).strip())
    from asterism.core.connections.in_words import in_words

    told = await memory.why(*ids)
    notes = [in_words(MCP.say(each)) for each in told.notes]
    page = paged([{"text": in_words(each.text), "value": each.value} for each in told.lines], arguments, spent=60)
    data = {
        "subject": told.subject,
        "number": told.number,
        "total": told.total,
        "gate": None,
        "needed": None,
        "change": None,
        "lines": page.entries,
        "notes": notes,
        "page": page.to_dict(),
    }
    head = f"{told.subject}: {told.number} {told.total:.6f}, the sum of"
    return Answered(data, "\n".join([head, page.text(_why_line), *notes]))


def _why_line(each: dict[str, Any]) -> str:
    return f"  {each['value']:+.6f}  {each['text']}"


WHY = Tool(
    "why",
    "Explain a number",
    "Say why a number is what it is, as lines that add up: of one id its confidence, brightness or strength, of two "
    "the strength of their link. With query: why this one is no answer to it, and what would let it in.",
    {
        "ids": many(ID, "One node, or the two ends of a link.", least=1, most=2),
        "query": text("Why is the (first) id not an answer to this?", least=1, most=10_000),
        **OFFSET,
    },
    given(
        {
            "subject": text(),
            "number": text("what is explained: strength, confidence, brightness ... or gate"),
            "total": number(),
            "gate": maybe(text("with query: in (it is an answer), rank, filter, floor, expired, gone ...")),
            "needed": maybe(number()),
            "change": maybe(text("the smallest change that lets it in")),
            "lines": many(given({"text": text(), "value": number()})),
            "notes": many(text()),
            "page": PAGE,
        }
    ),
    why,
    needs=("ids",),
    reads=True,
    repeats=True,
)


TOOLS = (RECALL, EXPLORE, WHY)
