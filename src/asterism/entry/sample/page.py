"""The story of the demo as a page of text: what was told, what was found, and by which capability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from asterism.core.ledger.model import kind_in, possible_ends
from asterism.entry.sample.notes import AFTER, BEFORE
from asterism.entry.sample.session import ACTORS
from asterism.entry.sample.story import GROWN, QUESTIONS, WALK, WHY, Story
from asterism.entry.text.ahead import outlook_lines
from asterism.entry.text.expected import predictions_lines
from asterism.entry.text.layout import Column, Line, Piece, heading, paragraph, table
from asterism.entry.text.market import levels_table
from asterism.entry.text.recalled import answer_lines
from asterism.entry.text.render import label, links_table, one_line, spoken, state, why_lines

if TYPE_CHECKING:
    from asterism.core.ledger.graph import Entry
    from asterism.entry.sample.play import Noted

ABOUT = (
    "Mara sleeps badly. For a month she kept a diary of what matters to her ({told} entries on ten stars), wrote "
    "{notes} notes, ran a game for three friends ({lines} lines, recorded), and held shares whose market she watched "
    "({events:,} events). All of it went into one memory, which no one told what belongs together. This is what it "
    "found; every number can say why."
)
DIARY = (
    "A link's strength (str) runs from 0 to 1: evidence adds to it, at most 0.15 a day, and it fades when nothing "
    "is said. Its kind was detected from how bright the two stars were, day by day."
)
GAME = (
    "{intents} things were tried or asked, {claimed} of them led to something, {left} were left hanging. The surest "
    "three, with how well the pair fits (0 to 1), and the last question nobody answered:"
)
MARKET = (
    "Somebody lets a large order rest at 98.50 and the price turns back from it four times; then it is pulled, the "
    "price falls through, and later stops there again from below. The order is gone, the price is remembered:"
)
NAMED = (
    "{named} notes name something that the memory knows: a star, somebody at the table, a price, another note. Each "
    "such text is evidence for the pair. A dream linked {links} pairs of notes that nobody had named."
)
MORAL = "So maps drawn at night cost Mara her sleep, her players do not sleep much better, and she owes them an answer."
MEANINGS = {
    "causation": "cause and effect",
    "growth_edge": "one lifts the other",
    "tension": "one up, other down",
    "blocks": "work, no progress",
    "shadow_mirror": "one of them is dark",
    "DARK": "words against deeds",
}
LINKS_SHOWN = 6
GAME_SHOWN = 3
NAMED_SHOWN = 5


def page(story: Story, names: Mapping[str, Entry], *, width: int) -> list[Line]:
    """Lay the story out; `names` says what the nodes of the walk are."""
    lines: list[Line] = [[Piece("Asterism: a month with Mara", "name")]]
    told = {"told": story.diary.played.told, "notes": len(story.learned)}
    lines += paragraph(ABOUT.format(**told, lines=story.read.lines, events=story.fed.used), width=width)
    lines += _diary(story, width) + _game(story, width) + _market(story, width)
    return lines + _notes(story, width) + _answers(story, width) + _walk(story, names, width)


def _diary(story: Story, width: int) -> list[Line]:
    diary = story.diary
    lines = heading("The diary: links, and their strength from the 1st to the 30th")
    lines += paragraph(DIARY, width=width, style="dim")
    lines += links_table(diary.links[:LINKS_SHOWN], diary.curves, width=width)
    lines += heading("What it noticed, morning by morning") + _noticed(story, width)
    lines += heading("What it expected") + predictions_lines(diary.predictions, ids=False, width=width)
    lines += heading(f"Why? (asterism why {' '.join(WHY)})") + why_lines(diary.why, limit=7, width=width)
    lines += heading("What will fade (asterism project)")
    return lines + outlook_lines(diary.outlook, limit=3, width=width)


def _noticed(story: Story, width: int) -> list[Line]:
    played = story.diary.played
    shown = {link.id for link in story.diary.links[:LINKS_SHOWN]} | set(played.discovered)

    def remark(noted: Noted) -> str:
        found = noted.link is not None and noted.link.id in played.discovered
        return "nobody had named it" if found else MEANINGS[noted.after]

    rows = [
        (
            f"{noted.day:%d %b}",
            Piece(noted.what if noted.link is None else label(noted.link), "name"),
            state(noted.before),
            "→",
            state(noted.after) if noted.after.isupper() else Piece(noted.after, "kind"),
            Piece(remark(noted), "dim"),
        )
        for noted in played.noted
        if noted.after in MEANINGS and (noted.link is None or noted.link.id in shown)
    ]
    columns = [Column("on"), Column("what", least=12), Column("was"), Column(""), Column("is"), Column("", least=8)]
    return table(columns, rows, width=width)


def _game(story: Story, width: int) -> list[Line]:
    read = story.read
    claimed = sum(link.claimed for link in read.links)
    lines = heading(f'The game night (asterism transcript links --session "{read.session}")')
    told = GAME.format(intents=len(read.links), claimed=claimed, left=len(read.links) - claimed)
    lines += paragraph(told, width=width)
    best = sorted((link for link in read.links if link.claimed), key=lambda link: (-(link.score or 0), link.id))
    rows = [(f"{link.score:.2f}", link.intent_text, "→", str(link.consequence_text)) for link in best[:GAME_SHOWN]]
    asked = [link for link in read.links if not link.claimed and link.intent_text.endswith("?")][-1]
    rows.append(("", asked.intent_text, "→", "?"))
    half = (width - 12) // 2
    cut = [(fits, one_line(tried, most=half), to, one_line(came, most=half)) for fits, tried, to, came in rows]
    return lines + table([Column("fits", "right"), Column("tried"), Column(""), Column("came of it")], cut, width=width)


def _market(story: Story, width: int) -> list[Line]:
    lines = heading("The market day (asterism market levels HARBOR)") + paragraph(MARKET, width=width)
    return lines + levels_table(story.levels[:3], width=width)


def _notes(story: Story, width: int) -> list[Line]:
    told = list(zip((*BEFORE, *AFTER), story.learned, strict=True))
    called = {receipt.id: note.name or f"“{one_line(note.content, most=28)}”" for note, receipt in told}
    called |= {star.id: star.name for star in story.diary.stars} | {actor.id: actor.name for actor in ACTORS}
    named = sorted((each for each in told if each[1].mentions), key=lambda each: -len(each[1].mentions))
    lines = heading("The notes, and what they name")
    lines += paragraph(NAMED.format(named=len(named), links=story.dreamed.edges_created), width=width)
    pairs = [(note.content, spoken(", ".join(receipt.mentions), called)) for note, receipt in named[:NAMED_SHOWN]]
    most = width - 2 - max(len(names) for _, names in pairs)
    rows = [(one_line(text, most=most), Piece(names, "name")) for text, names in pairs]
    lines += table([Column("note", least=24), Column("names")], rows, width=width)
    lines += heading(f"One link, two sources (asterism why {' '.join(GROWN)})")
    notes = tuple(spoken(note, called) for note in story.grown.notes[-3:])
    return lines + why_lines(replace(story.grown, subject="~".join(GROWN), notes=notes), width=width)


ANSWERED = (
    "The question shares hardly a word with its answers: they are found by meaning, and it says how sure it is.",
    "Asked at the table and never answered there. The answer is in a note: transcript and notes together.",
    "The market remembers the price, the note says what to do with it: levels and notes together.",
)
BY_WORDS = (
    "The question shares hardly a word with its answers. No word vectors are installed, so they may be missed here; "
    "with them they are found by meaning (pip install --no-deps wordllama)."
)


def _answers(story: Story, width: int) -> list[Line]:
    lines: list[Line] = []
    by_meaning = not any("word vectors" in note for note in story.answers[0].notes)
    remarks = (ANSWERED[0] if by_meaning else BY_WORDS, *ANSWERED[1:])
    for (question, kinds), remark, answer in zip(QUESTIONS, remarks, story.answers, strict=True):
        only = "".join(f" --kind {kind}" for kind in kinds)
        lines += heading(f'asterism recall "{question}"{only}') + paragraph(remark, width=width)
        lines += answer_lines(replace(answer, hits=answer.hits[:2], notes=()), width=width)[:-2]
    return lines


def _walk(story: Story, names: Mapping[str, Entry], width: int) -> list[Line]:
    """Tell the way to the best line of the game that the walkers found."""
    lines = heading(f'asterism explore "{WALK}" --start {story.start}')
    way = way_to_the_game(story)
    told = (
        f"{story.walk.walkers} walkers set out from a note, and left {len(story.walk.narratives)} narratives behind. "
    )
    crosses = "One of the ways they found crosses the notes, the diary and the game:"
    lines += paragraph(told + (crosses if way else "None of them came to the game."), width=width)
    if not way:
        return lines
    rows = [(Piece("a note", "kind"), Piece(_node(names, story.start, width), "name"), Piece(""))]
    for link, node in way:
        by, found_by = _step(story, link, node)
        rows.append((Piece(by, "kind"), Piece(_node(names, node, width), "name"), Piece(found_by, "dim")))
    columns = [Column("", "right"), Column("", least=20), Column("found by", least=10)]
    return [*lines, *table(columns, rows, width=width), *paragraph(MORAL, width=width)]


def way_to_the_game(story: Story) -> list[tuple[str, str]]:
    """Give the steps, each a link and a node, by which walkers first came to the best line of the game they found."""
    here, steps = story.start, list[tuple[str, str]]()
    moment = next((each for each in story.walk.found if "/" in each.id), None)
    for link in moment.path if moment is not None else ():
        here = next((b if a == here else a for a, b in possible_ends(link) if here in (a, b)), here)
        steps.append((link, here))
        if moment is not None and here == moment.id:
            break
    return steps


def _step(story: Story, link: str, node: str) -> tuple[str, str]:
    """Say by what a step led, and which capability found that."""
    kind = kind_in(link)
    if not kind:
        known = next((each for each in story.diary.links if each.id == link), None)
        return (
            ("evidence", "evidence")
            if known is None
            else (f"{known.kind} {known.strength:.2f}", "the diary's evidence")
        )
    if kind in ("mention", "shared_term"):
        return ("is named in", "the transcript") if "/" in node else ("names", "names in notes")
    return kind, "the dream" if kind == "similar" else "the transcript"


def _node(names: Mapping[str, Entry], node: str, width: int) -> str:
    entry = names.get(node)
    if entry is None:
        return node
    said = f"{entry.speaker}: {entry.text}" if entry.speaker else entry.name or entry.text
    return one_line(said, most=max(20, width - 46))
