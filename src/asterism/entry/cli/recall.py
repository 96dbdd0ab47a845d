"""`asterism recall` and `asterism why-not`: questions answered with reasons, and why something is not the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from asterism.core.ledger.model import NODE_KINDS
from asterism.entry.cli.commands import EMBEDDER, Asked, Choice, Command
from asterism.entry.cli.opening import blocks_among, changing, reading, space_of
from asterism.entry.cli.output import answer, width, working

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MOST = 1_000
PROMPT_TOKENS = 800
FILTERS = ("tags", "category", "source", "since", "until", "kinds")
OPTIONS = (
    click.option("-k", type=click.IntRange(1, MOST), default=10, help="At most so many answers (10).", metavar="N"),
    click.option("--intention", help="What the answer is for.", metavar="TEXT"),
    click.option(
        "--tag", "tags", multiple=True, help="Only with this tag; repeat it for all of several.", metavar="TAG"
    ),
    click.option("--category", help="Only of this category.", metavar="WORD"),
    click.option("--source", help="Only what this source said.", metavar="TEXT"),
    click.option("--since", help="Only what was learned since.", metavar="TIME"),
    click.option("--until", help="Only what was learned until then; a date counts whole.", metavar="TIME"),
    click.option("--kind", "kinds", multiple=True, type=Choice(NODE_KINDS), help="Only nodes of this kind; repeat it."),
    click.option(
        "--budget", "budget_tokens", type=click.IntRange(min=1), help="At most so many tokens of text.", metavar="N"
    ),
    click.option(
        "--hops", type=click.IntRange(0, 2), default=1, help="Follow links so often: 0, 1 or 2 (1).", metavar="N"
    ),
    click.option(
        "--floor", type=click.FloatRange(0, 1), help="Only what answers with this probability or more.", metavar="P"
    ),
    EMBEDDER,
)


def asking(command: Decorated) -> Decorated:
    """Give a command the options of a question."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command("recall", cls=Command, example='asterism recall "why do deploys fail?" -k 5')
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@asking
@click.option("--walk", is_flag=True, help="Also send walkers from the best hit; what they find comes behind.")
@click.option("--also", multiple=True, help="Ask this space of the file too; repeat it.", metavar="SPACE")
@click.option("--keep-unanswered", is_flag=True, help="Write an unsure answer's question down; unanswered lists them.")
@click.option("--all", "whole", is_flag=True, help="Show the least probable hits, too.")
@click.option("--why", "sums", is_flag=True, help="Show each score as the sum of its signals.")
@click.option("--prompt", is_flag=True, help="Print dated lines for a prompt, and nothing else; --budget bounds them.")
@click.pass_obj
def recall(
    asked: Asked,
    /,
    words: tuple[str, ...],
    whole: bool,
    sums: bool,
    prompt: bool,
    also: tuple[str, ...],
    keep_unanswered: bool,
    **question: Any,
) -> None:
    """Ask: what answers best, each with its reason.

    By words, by meaning and over links, in one ranking, each with the probability that it answers. It sees a text as
    soon as it is learned, and writes nothing.
    """
    from asterism.entry.text.layout import Piece
    from asterism.entry.text.recalled import answer_lines, sums_lines

    budget = question.pop("budget_tokens") if prompt else None
    with reading(asked) as memory, working("Recalling"):
        view = memory if asked.at is None else memory.as_of(asked.at)
        spaces = (space_of(asked), *also) if also else None
        told = view.recall(" ".join(words), spaces=spaces, **question)
        ends = [end for hit in told.hits for end in (hit.id, *(each.source for each in hit.links))]
        known = {} if asked.json else blocks_among(view, ends)
    if keep_unanswered and told.unsure and asked.at is None:
        with changing(asked) as memory:
            memory.unanswered(told.query)
    if prompt:
        text = told.as_prompt(budget or PROMPT_TOKENS)
        answer(asked, {"prompt": text, "unsure": told.unsure}, [[Piece(row)] for row in text.splitlines()])
        return
    if sums and told.hits:
        lines = sums_lines(told, whole=whole, width=width())
    else:
        filtered = any(question[name] for name in FILTERS)
        lines = answer_lines(
            told,
            known,
            space=space_of(asked),
            past=asked.at is not None,
            filtered=filtered,
            timed=True,
            whole=whole,
            width=width(),
        )
    answer(asked, told.to_dict(), lines)


@click.command("unanswered", cls=Command, example="asterism unanswered")
@click.pass_obj
def unanswered(asked: Asked) -> None:
    """List the questions that still have no sure answer.

    Those that recall --keep-unanswered wrote down; each with what would have to be told.
    """
    from asterism.entry.text.recalled import open_lines

    with reading(asked) as memory, working("Asking again"):
        view = memory if asked.at is None else memory.as_of(asked.at)
        told = view.open_questions()
    answer(asked, {"unanswered": [each.to_dict() for each in told]}, open_lines(told, width=width()))


@click.command("why-not", cls=Command, example='asterism why-not c5c82364bd867d6d "how do I deploy?" -k 3')
@click.argument("name", metavar="ID")
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@asking
@click.pass_obj
def why_not(asked: Asked, /, name: str, words: tuple[str, ...], **question: Any) -> None:
    """Say why something is not among the answers.

    Which gate keeps it out, and the smallest change that lets it in. With the id of another block as QUERY: why a
    dream has not linked the two.
    """
    from asterism.entry.text.recalled import why_not_lines

    with reading(asked) as memory, working("Looking into it"):
        view = memory if asked.at is None else memory.as_of(asked.at)
        query = " ".join(words)
        told = view.why_not(name, query, **question)
        ends = [] if asked.json else [told.id, query]
        known = blocks_among(view, ends)
    texts = [known[each].content for each in ends if each in known]
    answer(asked, told.to_dict(), why_not_lines(told, texts=texts, width=width()))


COMMANDS = (recall, unanswered, why_not)
