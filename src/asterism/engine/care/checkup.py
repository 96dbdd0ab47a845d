"""What a doctor says of a memory: each finding with its severity and the command that repairs it."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.ledger.model import Model

ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class CheckupFinding(Model):
    """One thing that was found: its name, how bad it is, in words, what it is about, and what repairs it."""

    name: str
    severity: str  # error, warning, note
    what: str
    item: str
    repair: str  # the exact command, or what to do where there is none

    def __str__(self) -> str:
        return f"{self.severity}: {self.what}\n  {self.repair}"


@dataclass(frozen=True, slots=True)
class Checkup(Model):
    """Everything that was found, the worst first; `ok` where nothing of it is an error."""

    path: str
    ok: bool
    findings: tuple[CheckupFinding, ...]
    checked: tuple[str, ...]  # what was looked at
    repaired: tuple[str, ...] = ()

    def named(self, name: str) -> tuple[CheckupFinding, ...]:
        """Give the findings of a name."""
        return tuple(each for each in self.findings if each.name == name)

    def __str__(self) -> str:
        worst = [each for each in self.findings if each.severity != NOTE]
        head = f"{self.path}: {'nothing is wrong' if not worst else f'{len(worst)} findings'}"
        return "\n".join([head, *(f"repaired: {each}" for each in self.repaired), *map(str, self.findings)])


def checkup_of(
    path: str, findings: list[CheckupFinding], checked: list[str], repaired: tuple[str, ...] = ()
) -> Checkup:
    """Put findings in order, the worst first, each once."""
    ordered = sorted(dict.fromkeys(findings), key=lambda each: SEVERITIES.index(each.severity))
    ok = not any(each.severity == ERROR for each in ordered)
    return Checkup(path, ok, tuple(ordered), tuple(checked), repaired)
