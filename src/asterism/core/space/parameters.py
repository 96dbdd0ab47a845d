"""The parameters of a space: those of every capability, under one set of presets and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.ledger.parameters import (
    Bounds,
    Parameters,
    Preset,
    Setting,
    bad_parameters,
    digest_of,
    preset_names,
    unknown_preset,
)
from asterism.core.levels.parameters import LevelParameters
from asterism.core.recall.parameters import RecallParameters
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.errors import InputError


@dataclass(frozen=True)
class SpaceParameters:
    """What every capability of a space works with; a name belongs to one of them."""

    connections: ConnectionParameters = field(default_factory=ConnectionParameters)
    levels: LevelParameters = field(default_factory=LevelParameters)
    blocks: BlockParameters = field(default_factory=BlockParameters)
    recall: RecallParameters = field(default_factory=RecallParameters)
    dialogue: DialogueParameters = field(default_factory=DialogueParameters)
    exploration: ExplorationParameters = field(default_factory=ExplorationParameters)

    @classmethod
    def build(cls, preset: Preset = "seed", overrides: Mapping[str, Setting] | None = None) -> SpaceParameters:
        """Combine presets and single values; every violation in every capability is reported at once.

        >>> SpaceParameters.build("rule3", {"soft_cap": 20}).levels.boost_liquidation
        0.05
        """
        names, values = preset_names(preset), dict(overrides or {})
        for name in names:
            if name not in cls.presets():
                raise unknown_preset(name, cls.presets())
        problems = [f"{name} is not a parameter" for name in values if name not in dict(cls.table())]
        built: dict[str, Parameters] = {}
        for part, kind in CAPABILITIES.items():
            mine = [name for name in names if name in kind.presets]
            try:
                built[part] = kind.build(mine, {key: values[key] for key, _ in kind.table() if key in values})
            except InputError as error:
                problems.append(error.message)
        if problems:
            raise bad_parameters(problems)
        return cls(**built)  # type: ignore[arg-type]  # each part was built by its own class

    @classmethod
    def presets(cls) -> list[str]:
        """Name the presets of all capabilities."""
        return list(dict.fromkeys(name for kind in CAPABILITIES.values() for name in kind.presets))

    @classmethod
    def table(cls) -> Iterator[tuple[str, Bounds]]:
        """Give every parameter's name and bounds."""
        for kind in CAPABILITIES.values():
            yield from kind.table()

    def to_dict(self) -> dict[str, Setting]:
        """Give every name and value."""
        return {name: value for part in CAPABILITIES for name, value in self._part(part).items()}

    def digest(self) -> str:
        """Name this set of values."""
        return digest_of(self.to_dict())

    def fold_digest(self) -> str:
        """Name the values that the fold uses: two memories folded with equal digests used equal numbers."""
        folded = [self._part(part) for part in CAPABILITIES if part not in NOT_FOLDED]
        return digest_of({name: value for values in folded for name, value in values.items()})

    def _part(self, part: str) -> dict[str, Setting]:
        values: dict[str, Setting] = getattr(self, part).to_dict()
        return values


CAPABILITIES: Mapping[str, type[Parameters]] = {
    "connections": ConnectionParameters,
    "levels": LevelParameters,
    "blocks": BlockParameters,
    "recall": RecallParameters,
    "dialogue": DialogueParameters,
    "exploration": ExplorationParameters,
}
NOT_FOLDED = ("recall", "dialogue")  # recall only reads; a transcript's item says what it was read with
