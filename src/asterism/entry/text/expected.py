"""What is expected, the record that speaks for it, and a small plot of said against came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.layout import WIDTH, Column, Line, Piece, heading, paragraph, table
from asterism.entry.text.render import predictions_table

if TYPE_CHECKING:
    from asterism.core.connections.model import Predictions, Record, ReliabilityBin, Standing

SHOWN = 20  # predictions, the latest
IDS = 5  # of predictions, the latest
LINKS = 8  # records of links, those with most settled
PLOT = 20  # cells


def predictions_lines(predictions: Predictions, *, ids: bool = True, width: int = WIDTH) -> list[Line]:
    """Show what is expected, what was, and how good that is; with the `ids` that `asterism why` takes."""
    if not predictions.items:
        return paragraph(
            "No predictions yet: a link that drives another with a delay predicts, once it is weak or above, as a day "
            "ends on which its cause changed. Tell values (asterism diary read FILE.csv), then asterism "
            "discover; asterism links shows what is there.",
            width=width,
        )
    expected = predictions.expectations
    if expected:
        lines = heading("Expected now") + predictions_table(expected, width=width)
    else:
        lines = paragraph(
            "Nothing is told as an expectation: no link or sign has a record that beats the base rate yet. "
            "Predictions are settled silently.",
            width=width,
        )
    latest = predictions.items[-SHOWN:]
    lines += heading("All predictions" if len(latest) == len(predictions.items) else f"The latest {SHOWN} predictions")
    lines += predictions_table(latest, width=width)
    if predictions.dropped:
        lines += paragraph(f"{predictions.dropped} older ones are no longer kept; the record counts them.", style="dim")
    lines += record_lines(predictions, width=width)
    if ids:
        named = predictions.items[-IDS:]
        older = "" if len(named) == len(predictions.items) else f" (the latest {IDS}; the others: LINK!TIME, by --json)"
        lines += paragraph(f"asterism why ID says why one was so sure{older}:", width=width, style="dim")
        lines += [[Piece(f"  {each.id}", "name")] for each in named]  # never wrapped: they are to be copied
    return lines


def record_lines(predictions: Predictions, *, width: int = WIDTH) -> list[Line]:
    """Show how settled predictions did against chance, and what they said against what came."""
    if not predictions.record.settled:
        return paragraph("None is settled yet.", style="dim")
    columns = [
        Column("record of", least=8),
        Column("settled", "right"),
        Column("came true", "right"),
        Column("by chance", "right"),
        Column("skill", "right"),
        Column("odds", "right"),
        Column("beats chance"),
    ]
    links = sorted(predictions.links, key=lambda each: (-each.record.settled, each.record.of))
    rows = [(*_cells(each), "", "") for each in (predictions.record, predictions.told, predictions.silent)]
    rows += [_standing(each) for each in (*predictions.signs, *links[:LINKS])]
    lines = heading("The record") + table(columns, rows, width=width)
    if len(links) > LINKS:
        lines += paragraph(f"and {len(links) - LINKS} more links (--json)", style="dim")
    lines += paragraph(
        "Skill: how much nearer the probabilities came than the base rate (0 is as near). Odds: what bets by them "
        "against the base rate would have made of one; 20 settled and odds of 20 make an expectation.",
        width=width,
        style="dim",
    )
    lines += heading("Said against came (█ came true, │ what was said)")
    return lines + [[Piece(plotted(each))] for each in predictions.reliability]


def _cells(record: Record) -> tuple[Piece, str, str, str, str]:
    shares = (record.hit_rate, record.base_rate, record.skill)
    came, chance, skill = ("-" if each is None else f"{each:.2f}" for each in shares)
    return Piece(record.of, "name"), str(record.settled), came, chance, skill


def _standing(each: Standing) -> tuple[Piece, str, str, str, str, str, str]:
    return *_cells(each.record), f"{each.odds:.3g}", "yes" if each.beats_base_rate else "no"


def plotted(each: ReliabilityBin) -> str:
    """Draw one fifth of the probabilities: a bar for how often they came true, a stroke where they said so.

    >>> from asterism.core.connections.model import ReliabilityBin
    >>> plotted(ReliabilityBin(0.2, 0.4, 31, 0.35, 0.2))
    '  0.2-0.4  ████···│············  said 0.35, came 0.20 (n = 31)'
    """
    full, said = round(each.hit_rate * PLOT), min(int(each.mean_probability * PLOT), PLOT - 1)
    bar = ["█" if place < full else "·" for place in range(PLOT)]
    bar[said] = "│"
    told = f"said {each.mean_probability:.2f}, came {each.hit_rate:.2f} (n = {each.n})"
    return f"  {each.low:.1f}-{each.high:.1f}  {''.join(bar)}  {told}"
