"""Commands about blocks: list, correct, forget and restore them, say what they were good for; and sessions."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import EMBEDDER, SOURCE, Asked, Choice, Command, Group
from asterism.entry.cli.opening import STATUSES, changing, making, reading, space_of, without_at
from asterism.entry.cli.output import answer, width, working

SHOWN = 50
ID = click.argument("name", metavar="ID")
IDS = click.argument("names", nargs=-1, required=True, metavar="ID...")


@click.command("blocks", cls=Command, example="asterism blocks --tag ops/cache --limit 10")
@click.option("--status", "statuses", multiple=True, type=Choice(STATUSES), help="Only of this status; repeat it.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; repeat it for all of several.", metavar="TAG")
@click.option("--category", help="Only of this category.", metavar="WORD")
@click.option("--limit", type=click.IntRange(min=1), help="Show at most so many.", metavar="N")
@click.pass_obj
def blocks(
    asked: Asked, statuses: tuple[str, ...], tags: tuple[str, ...], category: str | None, limit: int | None
) -> None:
    """Show what was learned, the latest first.

    What is there: in the inbox, or active after a dream. --status forgotten shows what restore can bring back.
    """
    from asterism.entry.text.blocks import blocks_table
    from asterism.entry.text.layout import paragraph

    with reading(asked) as memory:
        listed = memory.blocks(statuses=statuses or STATUSES[:2], at=asked.at)
    wanted = [each for each in reversed(listed) if set(tags) <= set(each.tags) and category in (None, each.category)]
    if asked.json:
        answer(asked, [each.to_dict() for each in wanted[:limit]], ())
        return
    if not wanted:
        none = f"No blocks in space {space_of(asked)!r} yet. Begin: asterism learn TEXT"
        answer(asked, None, paragraph("No block is like that." if statuses or tags or category else none))
        return
    shown = limit or SHOWN
    lines = blocks_table(wanted[:shown], width=width())
    if len(wanted) > shown:
        lines += paragraph(f"and {len(wanted) - shown:,} more; --limit {len(wanted)} shows all", style="dim")
    answer(asked, None, lines)


@click.command("edit", cls=Command, example='asterism edit 34045aab800caae0 "Warm the cache an hour before a deploy"')
@ID
@click.argument("words", nargs=-1, required=True, metavar="TEXT")
@SOURCE
@click.pass_obj
def edit(asked: Asked, name: str, words: tuple[str, ...], source: str | None) -> None:
    """Correct a block.

    It counts from now on, or from --at on: until then the old wording stands. Its links go to the new wording, and if
    it is the value of a slot, so does the slot; the old one comes back only if it is told again later.
    """
    from asterism.entry.text.blocks import changed_lines, next_step
    from asterism.entry.text.render import exactly

    with changing(asked) as memory:
        before = memory.block(name)
        block = memory.edit(name, " ".join(words), at=asked.at, source=source)
    since = f" from {block.at:%Y-%m-%d %H:%M} UTC on" if asked.at is None else f" as of {block.at:%Y-%m-%d}"
    lines = changed_lines(block, f"Corrected{since}; it has a new id:", width=width())
    if asked.at is None and before is not None and before.first_at.date() < block.at.date():
        as_if = f"asterism edit {before.id} TEXT --at {exactly(before.first_at)}"
        lines.append(next_step(as_if, "as if it had always read so"))
    answer(asked, block.to_dict(), lines)


@click.command("forget", cls=Command, example="asterism forget 34045aab800caae0")
@ID
@SOURCE
@click.pass_obj
def forget(asked: Asked, name: str, source: str | None) -> None:
    """Put a block or a narrative away.

    asterism restore ID brings it back, and so does telling it again later. Of a narrative that walkers left behind, the
    links go too; the colours on the paths that led to it stay.
    """
    from asterism.entry.text.blocks import changed_lines, next_step

    with changing(asked) as memory:
        block = memory.forget(name, at=asked.at, source=source)
    lines = changed_lines(block, "Forgotten:", width=width())
    answer(asked, block.to_dict(), [*lines, next_step(f"asterism restore {block.id}", "brings it back")])


@click.command("restore", cls=Command, example="asterism restore 34045aab800caae0")
@ID
@SOURCE
@click.pass_obj
def restore(asked: Asked, name: str, source: str | None) -> None:
    """Bring back what was forgotten."""
    from asterism.entry.text.blocks import changed_lines, next_step

    with changing(asked) as memory:
        block = memory.restore(name, at=asked.at, source=source)
    if block.kind == "narrative":
        answer(asked, block.to_dict(), changed_lines(block, "It is back, with its links:", width=width()))
        return
    lines = changed_lines(block, "It is back, in the inbox:", width=width())
    answer(asked, block.to_dict(), [*lines, next_step("asterism dream", "links it again")])


@click.command("pin", cls=Command, example="asterism pin 34045aab800caae0")
@ID
@click.option("--off", is_flag=True, help="Let it fade again.")
@SOURCE
@click.pass_obj
def pin(asked: Asked, name: str, off: bool, source: str | None) -> None:
    """Keep a block from fading, or let it fade again.

    Its links are not displaced by better ones either. A pin goes on to the wording that takes the block's place.
    """
    from asterism.entry.text.blocks import changed_lines

    with changing(asked) as memory:
        block = memory.pin(name, on=not off, at=asked.at, source=source)
    said = "It fades again:" if off else "Pinned, it does not fade:"
    answer(asked, block.to_dict(), changed_lines(block, said, width=width()))


@click.command("history", cls=Command, example="asterism history user/home")
@click.argument("slot", required=False, metavar="[SLOT]")
@click.pass_obj
def history(asked: Asked, slot: str | None) -> None:
    """Show what a slot held, and from when to when.

    Without a SLOT, of every slot; asterism slots lists them. asterism learn TEXT --slot SLOT fills one.
    """
    from asterism.entry.text.blocks import history_lines

    with reading(asked) as memory:
        held = memory.history(slot, at=asked.at)
        slots = [] if held else [each.slot for each in memory.slots(at=asked.at)]
    answer(asked, [each.to_dict() for each in held], history_lines(held, slot, slots, width=width()))


@click.command("slots", cls=Command, example="asterism slots")
@click.pass_obj
def slots(asked: Asked) -> None:
    """List the slots, each with what it holds now, or held last.

    asterism history SLOT shows what one held before. Names of slots are compared as they are written.
    """
    from asterism.entry.text.blocks import history_lines

    with reading(asked) as memory:
        held = memory.slots(at=asked.at)
    answer(asked, [each.to_dict() for each in held], history_lines(held, width=width()))


@click.command("used", cls=Command, example="asterism used 34045aab800caae0 c5c82364bd867d6d --session friday-deploy")
@IDS
@click.option("--session", required=True, help="In which session.", metavar="NAME")
@SOURCE
@click.pass_obj
def used(asked: Asked, names: tuple[str, ...], session: str, source: str | None) -> None:
    """Say which blocks were used together.

    The third session of two blocks links them. That helps to find them together again; it makes nothing truer.
    """
    from asterism.entry.text.blocks import used_lines

    with changing(asked) as memory:
        told = memory.used(names, session=session, at=asked.at, source=source)
        sessions = int(memory.parameters().values["co_occurs_sessions"])
    answer(asked, told, used_lines(told, session, sessions, width=width()))


@click.command("outcome", cls=Command, example="asterism outcome 34045aab800caae0 c5c82364bd867d6d --signal 0.9")
@IDS
@click.option("--signal", required=True, type=click.FloatRange(0, 1), help="From 0, badly, to 1, well.", metavar="S")
@SOURCE
@click.pass_obj
def outcome(asked: Asked, names: tuple[str, ...], signal: float, source: str | None) -> None:
    """Say how it went with some blocks.

    Well: they are linked and stay fresh. Badly: they fade faster. In between: only their confidence changes.
    """
    from asterism.entry.text.blocks import outcome_lines

    with changing(asked) as memory:
        found = memory.outcome(names, signal, at=asked.at, source=source)
        rules = memory.parameters().values
    answer(asked, [each.to_dict() for each in found], outcome_lines(found, signal, rules, width=width()))


@click.command("reembed", cls=Command, example="asterism reembed --embedder minilm")
@EMBEDDER
@click.pass_obj
def reembed(asked: Asked) -> None:
    """Make every vector anew, with another embedder.

    Vectors of two embedders cannot be compared, so a memory refuses another until this was done.
    """
    from asterism.entry.text.layout import gauge, many, paragraph

    without_at(asked, instead="vectors hold for all times")
    with changing(asked) as memory, working("Embedding") as progress:

        def tell(share: float, count: int) -> None:
            progress.say(f"Embedding {gauge(share, width=20)} {share:.0%}, {count:,} blocks")

        count = memory.reembed(progress=tell)
        embedder = memory.stats().embedder
    text = f"{many(count, 'block')} embedded anew by {embedder}."
    answer(asked, {"blocks": count, "embedder": embedder}, paragraph(text, width=width()))


@click.group("session", cls=Group, example="asterism session start friday-deploy")
def session() -> None:
    """Count time as active hours: blocks age in them alone."""


@session.command("start", cls=Command, example="asterism session start friday-deploy")
@click.argument("name")
@click.pass_obj
def start(asked: Asked, name: str) -> None:
    """Open a session: active hours pass from now on."""
    with making(asked) as memory:
        _say_session(asked, name, memory.begin_session(name, at=asked.at), open_=True)


@session.command("end", cls=Command, example="asterism session end friday-deploy")
@click.argument("name")
@click.pass_obj
def end(asked: Asked, name: str) -> None:
    """Close a session."""
    with changing(asked) as memory:
        _say_session(asked, name, memory.end_session(name, at=asked.at), open_=False)


def _say_session(asked: Asked, name: str, hours: float, *, open_: bool) -> None:
    from asterism.entry.text.layout import paragraph

    text = f"Session {name!r} is {'open' if open_ else 'closed'}; {hours:.2f} active hours so far."
    told = {"session": name, "open": open_, "active_hours": hours}
    answer(asked, told, paragraph(text, width=width()))


COMMANDS = (blocks, edit, forget, restore, pin, history, slots, used, outcome, reembed, session)
