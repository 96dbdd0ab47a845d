"""The generated pages of docs/ and the stub of the synchronous face.

`python -m asterism.entry.docs` writes them; with `--check` it fails if one of them is out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import click

from asterism import errors
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.states import ladder
from asterism.core.connections.words import LinkState
from asterism.core.ledger.parameters import Bounds, Parameters, Setting
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.core.walkers.states import mermaid
from asterism.engine.explore.run import ExplorationTimeout
from asterism.engine.memory import Memory
from asterism.entry.cli.app import SECTIONS, app
from asterism.entry.docs.error_codes import codes
from asterism.entry.docs.stub import stub
from asterism.entry.pages.picture import lives_svg
from asterism.entry.sample.play import StoryClock, play
from asterism.errors import AsterismError

PACKAGE = Path(errors.__file__).parent
ROOT = PACKAGE.parent.parent
NOTE = "<!-- Made by `python -m asterism.entry.docs`: do not edit. -->\n"


def pages() -> dict[Path, str]:
    """Give every generated file and its text."""
    return {
        ROOT / "docs" / "parameters.md": parameters_page(),
        ROOT / "docs" / "cli.md": cli_page(),
        ROOT / "docs" / "errors.md": errors_page(),
        ROOT / "docs" / "states.md": states_page(),
        ROOT / "docs" / "links.svg": picture(),
        PACKAGE / "sync.pyi": stub(*_faces()),
    }


def _faces() -> list[ModuleType]:
    """Give the modules whose classes make up a memory, those of its bases first."""
    bases = [base for base in Memory.__mro__[1:] if base.__module__.startswith("asterism.")]
    return [sys.modules[name] for name in dict.fromkeys([*(base.__module__ for base in bases), Memory.__module__])]


def picture() -> str:
    """Draw the links of the sample month."""
    clock = StoryClock()
    with Memory.open_sync(":memory:", space="demo", clock=clock) as told:
        play(told, clock)
        strongest = [link for link in told.links() if link.strength >= 0.1]
        curves = told.curves(points=31)
    return lives_svg(strongest, curves, title="A month of links (asterism demo)", first="1 Sep", last="30 Sep")


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Write a Markdown table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def _figure(value: Setting) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def parameters_page() -> str:
    """List every parameter with its bounds, unit, source and meaning."""
    sections = [
        f"## {row.name}\n\n{_parameters_table(row.parameters)}" for row in CAPABILITIES if list(row.parameters.table())
    ]
    return f"""{NOTE}
# Parameters

Every number that a fold uses: {len(list(SpaceParameters.table()))} of them. The preset `seed` has the values of the
column *seed*; an overlay has those of its own column where one is given. Presets combine: `("seed", "rule3")`. Sources
`000` and `001` are the documents the system grew from, `00`, `01` and `02` the pages of its specification.

Show and change them with `asterism config`, or `Memory.open(..., preset="tuned")` for a new space and
`memory.configure(preset="tuned", parameters={{"half_life_resonance": 45}})` for one that is there. A change folds the
ledger anew; no item is lost.

{chr(10).join(sections)}"""


def _parameters_table(kind: type[Parameters]) -> str:
    overlays = [name for name in kind.presets if name != "seed"]

    def row(name: str, bounds: Bounds) -> tuple[str, ...]:
        allowed = ", ".join(bounds.choices) if bounds.choices else f"{bounds.low:g} to {bounds.high:g}"
        others = [_figure(kind.presets[each][name]) if name in kind.presets[each] else "" for each in overlays]
        return (f"`{name}`", _figure(bounds.default), *others, allowed, bounds.unit, bounds.source, bounds.meaning)

    heads = ("name", "seed", *overlays, "allowed", "unit", "source", "meaning")
    return table(heads, [row(name, bounds) for name, bounds in kind.table()])


def cli_page() -> str:
    """Write the reference of every command, as `--help` shows it."""
    parts = [
        NOTE,
        "# Command line\n",
        "`asterism COMMAND --help` shows the same at the prompt; `asterism guide` explains the ideas.\n",
        "## Options of every command\n",
        "They may stand before or after the command.\n",
        _block(_section(_help((), app), "Everywhere")),
        "Exit codes: 0 fine, 1 it differs or failed, 2 wrong use, 3 no such thing, 4 the file refused. Every error\n"
        "is on the page [errors](errors.md). With `--json`, errors are JSON too, on stderr.\n",
        "## Completion\n",
        "Put one line into your shell's start-up file:\n",
        _block(
            '# bash\neval "$(_ASTERISM_COMPLETE=bash_source asterism)"\n'
            '# zsh\neval "$(_ASTERISM_COMPLETE=zsh_source asterism)"\n'
            "# fish\n_ASTERISM_COMPLETE=fish_source asterism | source"
        ),
    ]
    for title, names in SECTIONS.items():
        parts.append(f"## {title}\n")
        for name in names:
            for path, command in _with_subcommands((name,), app.commands[name]):
                parts.append(f"### asterism {' '.join(path)}\n")
                parts.append(_block(_without(_help(path, command), "Everywhere")))
    return "\n".join(parts)


def _with_subcommands(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    for name, under in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _with_subcommands((*path, name), under)


def _help(path: tuple[str, ...], command: click.Command) -> str:
    name = " ".join(("asterism", *path))
    settings = {**command.context_settings, "terminal_width": 80, "max_content_width": 80}
    return click.Context(command, info_name=name, **settings).get_help()


def _section(text: str, title: str) -> str:
    found = re.search(rf"^{title}:\n((?:  .*\n?)+)", text, re.MULTILINE)
    assert found, title
    return found[1].rstrip()


def _without(text: str, title: str) -> str:
    return re.sub(rf"^{title}:\n(?:  .*\n?)+\n?", "", text, flags=re.MULTILINE).rstrip()


def _block(text: str) -> str:
    return f"```text\n{text}\n```\n"


def errors_page() -> str:
    """List every error class, and every code with what it says."""
    tree = (errors.__doc__ or "").split("\n\n")[1]
    under = [*_below(AsterismError), ExplorationTimeout]  # the one that is not in errors.py, once
    kinds: list[type[AsterismError]] = [AsterismError, *dict.fromkeys(under)]
    classes = [
        (f"`{kind.__name__}`", *map(str, (kind.exit_code, kind.http_status, kind.mcp_code)), _first(kind))
        for kind in kinds
    ]
    rows = [(f"`{each.code}`", f"`{each.error}`", each.message) for each in codes(PACKAGE)]
    return f"""{NOTE}
# Errors

Every error is an `AsterismError`. It carries `code` (stable, for programs), `item` (what it is about) and `hint` (the
repair). Bad input leaves nothing half-written.

```text
{tree}
```

{table(("class", "exit code", "HTTP status", "MCP error", "meaning"), classes)}
## Codes

`...` stands for what the error is about. The command line adds `usage` (exit code 2) for words it does not know.

{table(("code", "class", "message"), rows)}"""


def _first(kind: type[AsterismError]) -> str:
    return (kind.__doc__ or "").split("\n")[0]


def _below(kind: type[AsterismError]) -> Iterator[type[AsterismError]]:
    for under in kind.__subclasses__():
        yield under
        yield from _below(under)


def states_page() -> str:
    """Draw the states of links, stars and walkers, with the thresholds of the preset `seed`."""
    p = ConnectionParameters()
    rungs = ladder(p)
    steps = list(zip(rungs.strength, rungs.evidence, strict=True))
    rows = []
    for state in reversed(LinkState):
        if state < LinkState.NASCENT:
            continue
        step = steps[state - LinkState.FORMING] if state > LinkState.NASCENT else None
        needs = (f"{step[0]:g}", str(step[1])) if step else ("above 0", "1")
        rows.append((state.name, *needs, f"{rungs.dormancy_days[state]} days"))
    climbing = [state for state in LinkState if state >= LinkState.NASCENT]
    up = [
        f"    {low.name} --> {high.name}: strength ≥ {need[0]:g} and evidence ≥ {need[1]}"
        for low, high, need in zip(climbing, climbing[1:], steps, strict=False)
    ]
    down = [f"    {high.name} --> {low.name}: faded" for low, high in pairwise(climbing)]
    asleep = [f"    {state.name} --> DORMANT: {rungs.dormancy_days[state]} days without evidence" for state in climbing]
    return STATES.format(
        note=NOTE,
        links=table(("state", "strength from", "effective evidence from", "DORMANT after, without evidence"), rows),
        link_diagram="\n".join([*up, *down, *asleep]),
        stars=_star_table(p),
        walkers=mermaid(),
        rest=1 - p.variance_weight,
        p=p,
    )


def _star_table(p: ConnectionParameters) -> str:
    rows = [
        (
            "DORMANT",
            f"idle {p.star_dormancy_flickering} days from FLICKERING, {p.star_dormancy_dim} from DIM, "
            f"{p.star_dormancy_dark} from DARK, {p.star_dormancy_bright} from BRIGHT",
        ),
        ("DARK", f"{p.dark_contradictions} contradictions between words and deeds, or marked dark"),
        ("FLICKERING", f"variance above {p.flickering_variance:g}"),
        ("BRIGHT", f"brightness {p.bright_threshold:g} or more, {p.stable_days} stable days"),
        ("DIM", f"brightness below {p.dim_threshold:g}, {p.stable_days} stable days"),
        ("FLICKERING", "otherwise"),
        (
            "NASCENT",
            f"new, at {p.new_star_brightness:g}, until acknowledged, engaged or observed; archived when "
            f"idle {p.nascent_archive_days} days",
        ),
    ]
    return table(("state", "when"), rows)


STATES = """{note}
# States

The thresholds are those of the preset `seed`; each is a [parameter](parameters.md). What happens on a day, in which
order, is on the page [connections](connections.md).

## Links

Strength and evidence must both reach a rung. Effective evidence counts an item 1 up to {p.evidence_half_life} days,
0.5 up to twice that, then 0.

{links}
Evidence shows at once; fading and falling asleep come at the day's end, at midnight UTC. New evidence wakes a DORMANT
link to the state that its strength and evidence give. A denial takes {p.denial_cost:g} at WEAK or above and dissolves
a link below. A NASCENT link that would fall asleep without ever having had a second item dissolves. DISSOLVED is the
end: new evidence for the pair begins a new link.

```mermaid
stateDiagram-v2
    [*] --> NASCENT: first evidence
{link_diagram}
    DORMANT --> NASCENT: evidence wakes it, to the rung it has
    NASCENT --> DISSOLVED: never had a second item
    NASCENT --> DISSOLVED: denied
    FORMING --> DISSOLVED: denied
    DISSOLVED --> [*]
```

## Stars

At the day's end, the first line that holds. Variance is a running mean of the day's changes,
`{p.variance_weight:g} x |change| + {rest:g} x before`, {p.initial_variance:g} for a new star; a day is stable while it
is below {p.stable_variance:g}.

{stars}
```mermaid
stateDiagram-v2
    [*] --> NASCENT: added
    NASCENT --> FLICKERING: acknowledged, engaged or observed
    NASCENT --> [*]: archived after {p.nascent_archive_days} idle days
    FLICKERING --> BRIGHT: high and stable
    FLICKERING --> DIM: low and stable
    BRIGHT --> FLICKERING: unsteady or lower
    DIM --> FLICKERING: unsteady or higher
    FLICKERING --> DARK: {p.dark_contradictions} contradictions, or marked
    BRIGHT --> DARK: {p.dark_contradictions} contradictions, or marked
    DIM --> DARK: {p.dark_contradictions} contradictions, or marked
    DARK --> DIM: disputed
    FLICKERING --> DORMANT: idle {p.star_dormancy_flickering} days
    DIM --> DORMANT: idle {p.star_dormancy_dim} days
    DARK --> DORMANT: idle {p.star_dormancy_dark} days
    BRIGHT --> DORMANT: idle {p.star_dormancy_bright} days
    DORMANT --> FLICKERING: engaged, observed, or evidence
```

## Walkers

What a walker of an [exploration](exploration.md) is doing; any other move is refused and changes nothing.

```mermaid
{walkers}
```
"""


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if a page is out of date.")
def main(check: bool) -> None:
    """Write the generated pages."""
    stale = [
        (path, text) for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        name = path.relative_to(ROOT)
        if check:
            click.echo(f"{name} is out of date: run python -m asterism.entry.docs", err=True)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            click.echo(f"wrote {name}")
    if check and stale:
        raise SystemExit(1)
