"""Tools that tell the memory something: learn, edit, forget, outcome, observe, dream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.core.connections.words import EvidenceKind, taken
from asterism.entry.hints import MCP
from asterism.entry.mcp.paging import OFFSET, PAGE, paged
from asterism.entry.mcp.schema import (
    Schema,
    either,
    given,
    many,
    maybe,
    number,
    numbers,
    text,
    texts,
    thing,
    truth,
    whole,
)
from asterism.entry.mcp.tool import Answered, Arguments, Tool
from asterism.entry.mcp.views import (
    LINK,
    NODE,
    id_of,
    link_line,
    link_of,
    node_line,
    node_of,
    short,
    texts_of,
)
from asterism.entry.text.layout import plain
from asterism.entry.text.render import exactly
from asterism.errors import InputError, UnknownError

if TYPE_CHECKING:
    from asterism.engine.memory import Memory

EVIDENCE = tuple(taken(EvidenceKind))
ID = text("An id or a name, as recall and show give it.", least=1, most=10_000)
SOURCE = {"source": text("Who says so.", most=200)}
TIME = "2026-01-31 or 2026-01-31T18:30Z"
CONTENT = text("The fact.", least=1, most=10_000)
TAGS = {"tags": many(text(least=1, most=200), "What it belongs to, like ops/cache.", most=20)}
AT = {"at": text(f"When it was told or happened, if not now: {TIME}.")}
TALK = {
    "conversation": text("Which conversation it was said in.", least=1, most=200),
    "speaker": text("Who said it.", least=1, most=200),
}
SLOT = text("What changes, like ada/home.", least=1, most=200)
COMMON = ("source", "at", "conversation", "speaker")
OFTEN = {
    "content": CONTENT,
    **TAGS,
    **AT,
    "slot": SLOT | {"description": "What changes, like ada/home: this is its value from now on."},
    "replaces": text("The id of a fact that this one ends.", least=1, most=200),
    "valid_until": text("How long it holds, if that is known."),
    "expires": text("When it need not be recalled any more."),
    "speaker": TALK["speaker"],
    "pin": truth("Never let it fade; false undoes it."),
}


async def learn(memory: Memory, arguments: Arguments) -> Answered:
    """Learn facts."""
    common = {name: arguments[name] for name in COMMON if name in arguments}
    facts = [common | _fact(told) for told in arguments["facts"]]
    pins = [fact.pop("pin", None) for fact in facts]
    try:
        receipts = await memory.learn_many(facts)
    except (InputError, UnknownError) as error:
        if len(facts) == 1:
            error.row = 1  # a list was told, and a longer one would have it named
        raise
    for receipt, pin in zip(receipts, pins, strict=True):
        if pin is not None:
            await memory.pin(receipt.id, on=pin)
    told = [
        {"id": each.id, "status": each.status, "note": MCP.say(each.note), "text": short(str(fact["content"]))}
        for each, fact in zip(receipts, facts, strict=True)
    ]
    page = paged(told, arguments)
    line = page.text(lambda each: f"{each['status']} [{each['id']}] {each['text']}" + _behind(each["note"]))
    return Answered({"learned": page.entries, "page": page.to_dict()}, line)


def _fact(told: Arguments | str) -> Arguments:
    """Read a fact: its words alone, or with what goes with them; a role is who speaks."""
    if isinstance(told, str):
        return {"content": told}
    fact = dict(told)
    role = fact.pop("role", None)
    return fact if role is None else {"speaker": role} | fact


def _behind(note: str) -> str:
    return f" ({note})" if note else ""


def _facts(fields: dict[str, Schema]) -> Schema:
    each = either(CONTENT, thing(fields, needs=["content"]))
    return many(each, "Statements: a text each, or an object where there is more to say.", least=1, most=200)


LEARN = Tool(
    "learn",
    "Learn facts",
    "Remember what the user tells or what came out, if it is worth keeping: one short statement each, in words that "
    "make sense on their own later (who, what). The same told again counts as another time. For what changes (a home, "
    "a job, a price) give a slot: the new value ends the old one. For a whole conversation use transcript_read.",
    {
        "facts": _facts(
            OFTEN
            | TALK
            | {
                "valid_from": text("From when on it holds, if not from at on."),
                "role": text("Who said it, as chats write it: user, assistant.", least=1, most=200),
                "category": text("What sort it is: knowledge, observation, heuristic, preference ...", most=200),
                "name": text("What the thing is called, if the fact is about one thing.", most=200),
                **SOURCE,
            }
        ),
        **TALK,
        **AT,
        **SOURCE,
        **OFFSET,
    },
    given(
        {
            "learned": many(
                given(
                    {
                        "id": text(),
                        "status": text(
                            "new, again (told of another time or by another source) or duplicate (nothing new)"
                        ),
                        "note": text(),
                        "text": text(),
                    }
                )
            ),
            "page": PAGE,
        }
    ),
    learn,
    needs=("facts",),
    rarely=("at",),
    briefly={"facts": _facts(OFTEN)},
    example='for example facts=["Ada likes tea", {"content": "Ada moved to Graz", "at": "2026-01-31"}]; split a long '
    "text into statements, or read a conversation with transcript_read",
    repeats=True,
)


async def edit(memory: Memory, arguments: Arguments) -> Answered:
    """Correct a block."""
    before = await memory.block(arguments["id"])
    at = arguments.get("at")
    block = await memory.edit(arguments["id"], arguments["content"], at=at, source=arguments.get("source"))
    page = paged([node_of(block)], arguments)
    since = f"It reads so from {block.at:%Y-%m-%d} on."
    if at is None and before is not None and before.first_at.date() < block.at.date():
        since += f" If it was always so: edit {before.id} again with at={exactly(before.first_at)}."
    data = {"block": page.entries[0], "replaced": arguments["id"], "since": since, "page": page.to_dict()}
    return Answered(data, f"{page.text(node_line)}\n{since}")


EDIT = Tool(
    "edit",
    "Correct a fact",
    "Correct the words of a fact, from now on: it gets a new id and keeps its links. What was true and has changed is "
    "no mistake: learn the new fact with its slot, or with replaces.",
    {
        "id": ID,
        "content": text("How it should read.", least=1, most=10_000),
        "at": text("From when on, if not from now on: when it was first told, if it was always so."),
        **SOURCE,
    },
    given({"block": NODE, "replaced": text(), "since": text("from when on it reads so"), "page": PAGE}),
    edit,
    needs=("id", "content"),
    destroys=True,
)


async def forget(memory: Memory, arguments: Arguments) -> Answered:
    """Forget blocks and narratives, or bring them back."""
    from asterism.engine.blocks.forget import forget_all

    undo = bool(arguments.get("undo", False))
    changed = await forget_all(memory, arguments["ids"], back=undo, source=arguments.get("source"))
    page = paged([node_of(each) for each in changed], arguments, again=False)
    word = "Back in the memory:" if undo else "Forgotten (undo=true brings it back):"
    return Answered({"blocks": page.entries, "undone": undo, "page": page.to_dict()}, f"{word}\n{page.text(node_line)}")


FORGET = Tool(
    "forget",
    "Forget, or bring back",
    "Put facts away, so that they are not recalled any more; undo=true brings them back, show lists them. To correct "
    "one use edit. (To destroy every trace, the user runs asterism erase.)",
    {
        "ids": many(ID, least=1, most=100),
        "undo": truth("Bring forgotten ones back instead.", default=False),
        **SOURCE,
    },
    given({"blocks": many(NODE), "undone": truth(), "page": PAGE}),
    forget,
    needs=("ids",),
    destroys=True,
)


async def outcome(memory: Memory, arguments: Arguments) -> Answered:
    """Say how it went with blocks."""
    ids, source = arguments["ids"], arguments.get("source")
    if arguments.get("session"):  # first: a session that cannot be named leaves no outcome behind
        await memory.used(ids, session=arguments["session"], source=source)
    blocks = await memory.outcome(ids, float(arguments["signal"]), source=source)
    page = paged([node_of(each) for each in blocks], arguments, again=False)
    return Answered({"blocks": page.entries, "page": page.to_dict()}, "Noted.\n" + page.text(node_line))


OUTCOME = Tool(
    "outcome",
    "Say how it went",
    "Say how well it went after acting on recalled facts: it changes their confidence and links facts that worked "
    "together. Only after there was a result.",
    {
        "ids": many(ID, "The facts that were acted on.", least=1, most=100),
        "signal": number("From 0, badly, to 1, well.", low=0, high=1),
        "session": text("In which session they were used together; the third links them.", least=1, most=200),
        **SOURCE,
    },
    given({"blocks": many(NODE), "page": PAGE}),
    outcome,
    needs=("ids", "signal"),
)


async def observe(memory: Memory, arguments: Arguments) -> Answered:
    """Tell a day's values, add evidence for a link, or deny it."""
    absent = [name for name in ("a", "b", "kind") if name not in arguments]
    if "values" in arguments and len(absent) == 3:
        return await _values(memory, arguments)
    if absent or "values" in arguments:
        raise InputError(
            f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing"
            if absent and "values" not in arguments
            else "values are told by themselves",
            code="bad_arguments",
            item="observe",
            hint=OBSERVED,
        )
    a, b, kind = arguments["a"], arguments["b"], arguments["kind"]
    at, source = arguments.get("at"), arguments.get("source")
    gain, capped, before, after = 0.0, None, None, None
    said = "Denied."
    if kind == "deny":
        await memory.deny(a, b, at=at, source=source)
    else:
        receipt = await memory.observe(a, b, kind, at=at, source=source, note=arguments.get("note"))
        gain, capped, before, after = receipt.gain, receipt.capped_by, receipt.before, receipt.after
        said = f"Gained {gain:+.3f}" + (f", held back by {capped}" if capped else "")
        said += f", on {receipt.at:%Y-%m-%d}: {before:.3f} to {after:.3f}; now:" if at else ""
    ends = await id_of(memory, a), await id_of(memory, b)
    link = await memory.link(*ends)
    texts = await texts_of(memory, *ends)
    told = None if link is None else link_of(link, texts)
    data = {"gain": round(gain, 9), "capped_by": capped, "before": before, "after": after, "link": told}
    return Answered(data, "\n".join([said, *([link_line(told)] if told else [])]))


async def _values(memory: Memory, arguments: Arguments) -> Answered:
    from asterism.entry.text.diary import told_lines

    told = await memory.tell_values(
        arguments["values"],
        at=arguments.get("at"),
        scales=arguments.get("scales"),
        source=arguments.get("source"),
    )
    nothing = {"gain": 0.0, "capped_by": None, "before": None, "after": None, "link": None}
    return Answered(nothing | {"values": [star.to_dict() for star in told.stars]}, plain(told_lines(told, surface=MCP)))


OBSERVED = 'give a, b and kind for a link, or values={"sleep": 6.5, "mood": 4}'
OBSERVE = Tool(
    "observe",
    "Tell a day's values, or evidence for a link",
    "With values: tell how a day was, in numbers (sleep, mood), each on its own scale. With a, b and kind: say that "
    "two things are connected, or that they are not (deny). Links grow with evidence and fade without it: "
    "user_confirms when the user agrees to one, user_creates when the user states one, causation_detected when one "
    "led to the other. Facts alike are linked by dream.",
    {
        "a": ID,
        "b": ID,
        "kind": text("What was observed; deny takes the link back.", one_of=[*EVIDENCE, "deny"]),
        "values": numbers('A day\'s values by star: {"sleep": 6.5, "mood": 4}.'),
        "scales": texts('From what to what they run: {"mood": "1..7"}.'),
        "note": text("What it was, in a few words.", most=2_000),
        "at": text(f"When, if not now: {TIME}."),
        **SOURCE,
    },
    given(
        {
            "gain": number("what this added to the strength"),
            "capped_by": maybe(text("daily_cap or ceiling")),
            "before": maybe(number("strength on the day of `at`, without this")),
            "after": maybe(number("and with it")),
            "link": {"anyOf": [LINK, {"type": "null"}]} | {"description": "as it is now"},
            "values": many({"type": "object"}, "what became of each star's value"),
        },
        perhaps=("values",),
    ),
    observe,
    rarely=("scales",),
    example=OBSERVED,
)


REASONS = 3  # why nothing came of pairs, the most frequent


async def dream(memory: Memory, arguments: Arguments) -> Answered:
    """Consolidate."""
    told = await memory.dream(steps=arguments.get("steps"))
    names = (
        "promoted",
        "duplicates",
        "superseded",
        "edges_created",
        "edges_displaced",
        "remaining",
        "exact",
        "recall",
        "found",
        "nothing",
    )
    data = {name: getattr(told, name) for name in names} | {"findings": list(told.findings)}
    lines = [str(told), *(f"- {each}" for each in told.findings)]
    if told.found > len(told.findings):
        lines.append(f"- and {told.found - len(told.findings)} more")
    if told.nothing:
        pairs = sum(told.nothing.values())
        reasons = ", ".join(f"{reason} {count}" for reason, count in list(told.nothing.items())[:REASONS])
        lines.append(f"Nothing came of {pairs} {'pair' if pairs == 1 else 'pairs'} of values: {reasons}.")
    return Answered(data, "\n".join(lines))


DREAM = Tool(
    "dream",
    "Consolidate what was learned",
    "Tidy up: find near-duplicates, contradictions and links that nobody named. Call it after learning a good deal, or "
    "at the end of a session.",
    {"steps": whole("At most so many steps; the rest stays for the next dream.", low=1, high=1_000)},
    given(
        {
            "promoted": whole(),
            "duplicates": whole(),
            "superseded": whole(),
            "edges_created": whole(),
            "edges_displaced": whole(),
            "remaining": whole("still in the inbox"),
            "exact": truth("every pair was looked at"),
            "recall": number("the share of links found, if not exact"),
            "found": whole("findings of what goes with what in told values"),
            "findings": many(text(), "the first of them, in sentences"),
            "nothing": {"type": "object", "description": "pairs of values of which nothing came, by why"},
        }
    ),
    dream,
    repeats=True,
)

TOOLS = (LEARN, EDIT, FORGET, OUTCOME, OBSERVE, DREAM)
