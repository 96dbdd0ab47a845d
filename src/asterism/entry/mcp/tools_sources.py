"""Tools of conversations and markets: transcript_read, market_levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asterism.core.ledger.model import plain
from asterism.entry.hints import MCP
from asterism.entry.mcp.paging import OFFSET, PAGE, paged
from asterism.entry.mcp.schema import either, given, many, maybe, number, text, thing, truth, whole
from asterism.entry.mcp.tool import Answered, Arguments, Tool
from asterism.entry.mcp.views import short
from asterism.entry.text.transcripts import replacing, sentence
from asterism.errors import InputError

SPOKEN = (("speaker", "role"), ("text", "content"))  # in our words, and as chats write it
WAYS = ("channel", "instruction", "reply", "responders")  # as the engine has them, which is not loaded yet
LONGEST_NAME = 60  # before a colon

if TYPE_CHECKING:
    from asterism.engine.memory import Memory


async def transcript_read(memory: Memory, arguments: Arguments) -> Answered:
    """Read a transcript."""
    rows = [_row(place, line) for place, line in enumerate(arguments["lines"])]
    told = await memory.read_transcript(
        rows,
        session=arguments["session"],
        responders=arguments.get("responders"),
        started_at=arguments.get("started_at"),
        answering=arguments.get("as"),
    )
    links = [
        {
            "actor": each.actor,
            "line": each.intent_anchor_index,
            "intent": each.intent_text,
            "type": each.intent_type,
            "consequence": each.consequence_text,
            "consequence_line": each.consequence_anchor_index,
            "score": each.score,
            "claimed": each.claimed,
        }
        for each in told.links
    ]
    page = paged(links, arguments, spent=60)
    coverage = float(told.metrics.coverage)
    by = f"Who answers whom: {told.answering.by}" + (
        f", because {told.answering.because}." if told.answering.because else "."
    )
    head = f"{told.remembered} of {told.lines} lines of {told.session} remembered. {by}"
    notes = [replacing(told, otherwise="another session name keeps both")]
    notes += [sentence(MCP.say(each)) for each in told.notes]
    head = " ".join([head, *filter(None, notes)])
    data = {
        "session": told.session,
        "new": told.new,
        "lines": told.lines,
        "remembered": told.remembered,
        "answering": told.answering.by,
        "replies": len(told.replies),
        "evidence": told.evidence,
        "notes": list(filter(None, notes)),
        "coverage": coverage,
        "links": page.entries,
        "page": page.to_dict(),
    }
    if links:
        head += f" {len(links)} intentions, {coverage:.0%} with a result."
    return Answered(
        data, "\n".join([head, page.text(_causal_line, empty=f"{len(told.replies)} lines answer another.")])
    )


def _row(place: int, line: Arguments | str) -> Arguments:
    """Read a line: "Name: text", who and what apart, or as chats write it, with a role and content."""
    if isinstance(line, str):
        name, colon, said = (part.strip() for part in line.partition(":"))
        if not (colon and name and said) or len(name) > LONGEST_NAME:
            raise InputError(
                f"lines[{place}] does not say who speaks: {line[:80]!r}",
                code="bad_line",
                item=f"lines[{place}]",
                hint='write "Name: text", or {"speaker": "Name", "text": "..."}; a fact nobody said is for learn',
            )
    else:
        name, said = (str(line.get(one) or line.get(other) or "") for one, other in SPOKEN)
        if not (name and said):
            raise InputError(
                f"lines[{place}] lacks who speaks or what",
                code="bad_line",
                item=f"lines[{place}]",
                hint='write {"speaker": "Name", "text": "..."}, or "Name: text"',
            )
    return {"line_index": place, "author_name": name, "content": said}


def _causal_line(each: dict[str, Any]) -> str:
    came = f"-> {short(each['consequence'])}" if each["claimed"] and each["consequence"] else "-> nothing came of it"
    return f"- line {each['line']} {each['actor']}: {short(each['intent'])}\n  {came}"


LINE, NAME = text(least=1, most=10_000), text(least=1, most=200)
TRANSCRIPT_READ = Tool(
    "transcript_read",
    "Read a conversation",
    "Take in a whole conversation (a meeting, a chat, a game session): every line is remembered with its speaker, and "
    "what somebody intended is linked to what came of it. For single facts use learn.",
    {
        "session": text("A name for this conversation.", least=1, most=200),
        "lines": many(
            either(
                LINE,
                thing({"speaker": NAME, "text": LINE, "role": NAME, "content": LINE}),
            ),
            'In the order they were said: "Name: text", or objects with speaker and text.',
            least=1,
            most=5_000,
        ),
        "responders": many(text(least=1), "Who answers or decides, if somebody does: a game master, a chair.", most=50),
        "as": text("Who answers whom; else chosen by what the lines look like.", one_of=WAYS),
        "started_at": text("When it began: 2026-01-31T18:30Z; else it ended just now."),
        **OFFSET,
    },
    given(
        {
            "session": text(),
            "new": truth(),
            "lines": whole(),
            "remembered": whole("lines that can be recalled"),
            "answering": text("how it was found who answers whom"),
            "replies": whole("lines that answer another"),
            "evidence": whole("items of evidence that were new"),
            "notes": many(text(), "what it took the place of, and what had to be settled"),
            "coverage": number("share of intentions with a result"),
            "links": many(
                given(
                    {
                        "actor": text(),
                        "line": whole(),
                        "intent": text(),
                        "type": text(),
                        "consequence": maybe(text()),
                        "consequence_line": maybe(whole()),
                        "score": maybe(number()),
                        "claimed": truth(),
                    }
                )
            ),
            "page": PAGE,
        }
    ),
    transcript_read,
    needs=("session", "lines"),
    briefly={"lines": many(text(), 'In the order they were said: "Name: text".')},
    example='for example lines=["Ann: I open the door.", {"speaker": "Bo", "text": "It creaks."}]',
    repeats=True,
)

LEVEL_FIELDS = ("id", "side", "price", "strength", "confidence", "reason", "visits", "first_seen", "last_seen")


async def market_levels(memory: Memory, arguments: Arguments) -> Answered:
    """Give the prices a market remembers, or the markets there are."""
    symbol = arguments.get("symbol")
    symbols = [each.symbol for each in await memory.symbols()]
    if symbol is None:
        page = paged([], arguments)
        told = ", ".join(symbols) or "No market was fed. The user feeds one: asterism market feed FILE --symbol NAME"
        return Answered({"symbols": symbols, "levels": [], "page": page.to_dict()}, told)
    found = await memory.levels(
        symbol,
        near=arguments.get("near"),
        within_bps=arguments.get("within_bps"),
        min_strength=float(arguments.get("min_strength", 0.0)),
        side=arguments.get("side"),
    )
    levels = [{name: plain(getattr(each, name)) for name in LEVEL_FIELDS} for each in found]
    page = paged(levels, arguments)
    data = {"symbols": symbols, "levels": page.entries, "page": page.to_dict()}
    return Answered(data, page.text(_level_line, empty=f"No levels of {symbol} are like that."))


def _level_line(each: dict[str, Any]) -> str:
    return f"- {each['price']:g} {each['side']}, strength {each['strength']:.2f}: {each['reason']} [{each['id']}]"


MARKET_LEVELS = Tool(
    "market_levels",
    "Prices a market remembers",
    "Give the prices that a market remembers, from trades and books the user has fed, strongest first. Without symbol: "
    "which markets there are. No forecast.",
    {
        "symbol": text("Like BTCUSDT.", least=1, most=200),
        "near": number("Only near this price.", low=0),
        "within_bps": number("How near, in hundredths of a percent.", low=0),
        "min_strength": number("Only so strong.", low=0, high=1),
        "side": text("Only of this side.", one_of=("bid", "ask", "both")),
        **OFFSET,
    },
    given(
        {
            "symbols": many(text()),
            "levels": many(
                given(
                    {
                        "id": text(),
                        "side": text(),
                        "price": number(),
                        "strength": number(),
                        "confidence": number(),
                        "reason": text(),
                        "visits": whole(),
                        "first_seen": text(),
                        "last_seen": text(),
                    }
                )
            ),
            "page": PAGE,
        }
    ),
    market_levels,
    reads=True,
    repeats=True,
)

TOOLS = (TRANSCRIPT_READ, MARKET_LEVELS)
