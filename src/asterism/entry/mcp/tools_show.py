"""The tool that looks around: one node with its links, or nodes, conflicts, what is expected, what a slot held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from asterism.core.ledger.calendar import to_datetime, to_micros
from asterism.core.ledger.model import NODE_KINDS
from asterism.entry.mcp.manner import Manner
from asterism.entry.mcp.paging import OFFSET, PAGE, headed, paged, tokens
from asterism.entry.mcp.schema import given, many, maybe, number, text, truth, whole
from asterism.entry.mcp.tool import Answered, Arguments, Tool
from asterism.entry.mcp.tools_learn import ID, SLOT, TIME
from asterism.entry.mcp.views import LINK, NODE, id_of, link_line, link_of, node_line, node_of, texts_of
from asterism.entry.text.blocks import none_held
from asterism.entry.text.layout import plain

if TYPE_CHECKING:
    from asterism.core.ledger.model import Model
    from asterism.engine.graph.nodes import AnyNode
    from asterism.engine.memory import Memory

SIDE = given({"id": text(), "text": text(), "at": text()})
CONFLICT = given(
    {"id": text(), "reason": text(), "confidence": number(), "earlier": SIDE, "later": SIDE},
    about="two facts that probably cannot both hold",
)


HELD = given(
    {
        "slot": text(),
        "id": text(),
        "text": text(),
        "begin": text(),
        "end": maybe(text()),
        "ended_by": text(),
        "current": truth(),
    },
    about="what a slot held for a while",
)


WHAT = ("conflicts", "expectations", "forgotten", "pinned", "slots", "spaces", "unanswered", "week")
SPACE = given({"name": text(), "items": whole(), "last_at": maybe(text()), "open": truth("the one that is written to")})


OPEN = given(
    {
        "query": text(),
        "first_at": text(),
        "at": text(),
        "times": whole("how often it was left open"),
        "probability": number("of what comes nearest"),
        "nearest": text(),
        "missing": many(text(), "words that nothing here holds"),
    },
    about="a question without a sure answer",
)


EXPECTED = given(
    {
        "link": text(),
        "star": text(),
        "made_at": text(),
        "expected_at": text(),
        "sign": whole("1 rises, -1 falls"),
        "confidence": number("of the link"),
        "probability": number("that it comes true, by how earlier ones did"),
        "base_rate": number("that it comes true by chance"),
        "told": truth(),
        "outcome": text(),
        "resolved_at": maybe(text()),
    },
    about="what a causal link expects",
)
RECORD = given(
    {
        "of": text(),
        "settled": whole(),
        "verified": whole(),
        "hit_rate": maybe(number()),
        "base_rate": maybe(number()),
        "brier": maybe(number()),
        "brier_base": maybe(number()),
        "skill": maybe(number("of the probabilities over the base rate")),
    },
    about="how settled predictions did",
)


async def show(memory: Memory, arguments: Arguments, manner: Manner) -> Answered:
    """Show one node with its links, or list nodes, conflicts, or what a slot held."""
    del manner
    if "id" in arguments:
        return await _one(memory, arguments)
    if "slot" in arguments:
        return await _history(memory, arguments)
    if arguments.get("what") == "slots":
        return _told("history", await memory.slots(), arguments, _slot_line, none_held(None, ()))
    if arguments.get("what") == "spaces":
        return _told("spaces", await memory.spaces(), arguments, _space_line, "")
    if arguments.get("what") == "unanswered":
        none = "No question that was written down is open; a server started with --keep-unanswered writes them down."
        return _told("unanswered", await memory.open_questions(), arguments, _open_line, none)
    if arguments.get("what") == "week":
        return await _week(memory, arguments)
    if arguments.get("what") == "conflicts":
        return await _conflicts(memory, arguments)
    if arguments.get("what") == "expectations":
        return await _expectations(memory, arguments)
    return await _listed(memory, arguments)


async def _one(memory: Memory, arguments: Arguments) -> Answered:
    node = await _node(memory, arguments["id"])
    links = await memory.links(node.id)
    ends = {end for each in links for end in (each.a, each.b)}
    texts = await texts_of(memory, *sorted(ends))
    head, cut = headed(node_of(node), arguments)
    page = paged([link_of(each, texts) for each in links], arguments, spent=tokens(str(head)), cut=cut)
    data = {"nodes": [head], "links": page.entries, "page": page.to_dict()}
    return Answered(data, "\n".join([node_line(head), page.text(link_line, empty="No links.")]))


async def _node(memory: Memory, wanted: str) -> AnyNode:
    name = await id_of(memory, wanted)
    found: AnyNode | None = await memory.star(name) or await memory.block(name)
    if found is None:
        from asterism.engine.blocks.forget import forgotten

        there = [*await memory.nodes(), *await forgotten(memory)]
        found = next((each for each in there if each.id == name), None)
    if found is None:
        from asterism.engine.graph.nodes import known_node

        found = await known_node(memory, wanted)
    return found


async def _listed(memory: Memory, arguments: Arguments) -> Answered:
    kinds, tags, what = arguments.get("kinds", ()), set(arguments.get("tags", ())), arguments.get("what")
    if what == "forgotten" or arguments.get("forgotten", False):
        from asterism.engine.blocks.forget import forgotten

        found: list[Any] = [each for each in await forgotten(memory) if not kinds or each.kind in kinds]
    else:
        found = list(await memory.nodes(kinds=kinds))
    if what == "pinned":
        found = [each for each in found if getattr(each, "pinned", False)]
    if arguments.get("since"):
        since = to_datetime(to_micros(arguments["since"], of_date=0))
        found = [each for each in found if each.at is not None and each.at >= since]
    told = [each for each in (node_of(node) for node in found) if tags <= set(each["tags"])]
    told.sort(key=lambda each: each["at"] or "", reverse=True)
    page = paged(told, arguments)
    data = {"nodes": page.entries, "links": [], "page": page.to_dict()}
    return Answered(data, page.text(node_line, empty=EMPTY.get(what or "", "Nothing is there yet.")))


EMPTY = {"forgotten": "Nothing was forgotten.", "pinned": "Nothing is pinned: learn with pin=true pins a fact."}


async def _conflicts(memory: Memory, arguments: Arguments) -> Answered:
    empty = "Nothing is known to be in conflict; dream looks for it."
    return _told("conflicts", await memory.conflicts(), arguments, _conflict_line, empty)


def _conflict_line(each: dict[str, Any]) -> str:
    sides = [f"[{side['id']}] {side['text']} ({side['at'][:10]})" for side in (each["earlier"], each["later"])]
    return f"- {each['reason']}: {sides[0]}\n  or {sides[1]}"


async def _week(memory: Memory, arguments: Arguments) -> Answered:
    from asterism.entry.text.diary import week_lines

    found = await memory.week(at=arguments.get("at"))
    page = paged([], arguments)
    data = {"nodes": [], "links": [], "week": found.to_dict(), "page": page.to_dict()}
    return Answered(data, plain(week_lines(found)))


async def _expectations(memory: Memory, arguments: Arguments) -> Answered:
    known = await memory.predictions()
    whole_record = known.record
    if whole_record.hit_rate is None or whole_record.base_rate is None:
        record = "No prediction is settled yet."
    else:
        record = (
            f"Record: {whole_record.settled} predictions settled, {whole_record.hit_rate:.0%} came true, "
            f"{whole_record.base_rate:.0%} would have by chance; {known.told.settled} of them were told."
        )
    empty = "Nothing is expected: no link or sign has a record that beats chance."
    answered = _told("expectations", known.expectations, arguments, _expected_line, empty)
    return Answered(answered.data | {"record": whole_record.to_dict()}, f"{answered.text}\n{record}")


def _expected_line(each: dict[str, Any]) -> str:
    way = "rises" if each["sign"] > 0 else "falls"
    how = f"probability {each['probability']:.2f}, by chance {each['base_rate']:.2f}"
    return f"- {each['star']} {way} about {each['expected_at'][:16]}: {how} (because of {each['link']})"


async def _history(memory: Memory, arguments: Arguments) -> Answered:
    slot = arguments["slot"]
    held = await memory.history(slot)
    empty = "" if held else none_held(slot, [each.slot for each in await memory.slots()])
    return _told("history", held, arguments, _held_line, empty)


def _slot_line(each: dict[str, Any]) -> str:
    return f"- {each['slot']}: {_held_line(each).removeprefix('- ')}"


def _held_line(each: dict[str, Any]) -> str:
    until = "now" if each["current"] else (each["end"] or "")[:10]
    return f"- {each['begin'][:10]} to {until}: {each['text']} [{each['id']}]"


def _space_line(each: dict[str, Any]) -> str:
    last = f", last told {each['last_at'][:10]}" if each["last_at"] else ""
    return f"- {each['name']}: {each['items']} items{last}" + (" (this one)" if each["open"] else "")


def _open_line(each: dict[str, Any]) -> str:
    missing = f" (nobody told of {', '.join(each['missing'])})" if each["missing"] else ""
    return f"- {each['at'][:10]}, {each['times']}x: {each['query']}{missing}"


def _told(
    name: str, found: Sequence[Model], arguments: Arguments, line: Callable[[dict[str, Any]], str], empty: str
) -> Answered:
    """List something that is no node."""
    page = paged([each.to_dict() for each in found], arguments)
    data = {"nodes": [], "links": [], name: page.entries, "page": page.to_dict()}
    return Answered(data, page.text(line, empty=empty))


SHOW = Tool(
    "show",
    "Look around",
    "With id: one fact or other node and its links. With slot: what it held, and from when to when. Without: list what "
    "the memory holds, the latest first, or what is asked for. To find by content use recall.",
    {
        "id": ID,
        "slot": SLOT,
        "what": text(
            "conflicts: pairs that probably cannot both hold. slots: with their values. week: what changed in values. "
            "expectations: what links with a record expect.",
            one_of=WHAT,
        ),
        "kinds": many(text(one_of=NODE_KINDS), "List only these kinds."),
        "tags": many(text(least=1), "List only what has all of these tags.", most=20),
        "since": text(f"List only what came since: {TIME}."),
        "at": text("The day that the week ends with."),
        "forgotten": truth("List what was forgotten instead.", default=False),
        **OFFSET,
    },
    given(
        {
            "nodes": many(NODE),
            "links": many(LINK),
            "conflicts": many(CONFLICT),
            "expectations": many(EXPECTED),
            "record": RECORD,
            "history": many(HELD),
            "spaces": many(SPACE),
            "unanswered": many(OPEN),
            "week": {"type": "object", "description": "what changed, goes together, fades or is missing"},
            "page": PAGE,
        },
        perhaps=("conflicts", "expectations", "record", "history", "spaces", "unanswered", "week"),
    ),
    show,
    rarely=("forgotten",),
    by_manner=True,
    reads=True,
    repeats=True,
)
TOOLS = (SHOW,)
