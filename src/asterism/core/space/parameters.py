"""The parameters of a space: those of every capability, under one set of presets and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar, cast

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.ledger.capability import Capability
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
from asterism.core.levels.capability import LEVELS
from asterism.core.levels.parameters import LevelParameters
from asterism.core.recall.capability import RECALL
from asterism.core.recall.parameters import RecallParameters
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.walkers.capability import WALKS
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.errors import InputError

Fold = TypeVar("Fold")
Rules = TypeVar("Rules", bound=Parameters)


class SpaceParameters:
    """What every capability of a space works with; a name belongs to one of them."""

    def __init__(self, *parts: Parameters, capabilities: Capabilities = CAPABILITIES) -> None:
        given = {type(part): part for part in parts}
        self.capabilities = capabilities
        self._parts = {row.name: given.get(row.parameters) or row.parameters() for row in capabilities}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpaceParameters) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self.digest())

    def of(self, capability: Capability[Fold, Rules]) -> Rules:
        """Give the parameters of one capability."""
        return cast("Rules", self._parts[capability.name])

    @property
    def connections(self) -> ConnectionParameters:
        """Those of stars and connections."""
        return self.of(CONNECTIONS)

    @property
    def levels(self) -> LevelParameters:
        """Those of market levels."""
        return self.of(LEVELS)

    @property
    def blocks(self) -> BlockParameters:
        """Those of blocks and dreams."""
        return self.of(BLOCKS)

    @property
    def recall(self) -> RecallParameters:
        """Those of recall."""
        return self.of(RECALL)

    @property
    def dialogue(self) -> DialogueParameters:
        """Those of transcripts."""
        return self.of(TRANSCRIPTS)

    @property
    def exploration(self) -> ExplorationParameters:
        """Those of walkers."""
        return self.of(WALKS)

    @classmethod
    def build(
        cls,
        preset: Preset = "seed",
        overrides: Mapping[str, Setting] | None = None,
        *,
        capabilities: Capabilities = CAPABILITIES,
    ) -> SpaceParameters:
        """Combine presets and single values; every violation in every capability is reported at once.

        >>> SpaceParameters.build("rule3", {"soft_cap": 20}).levels.boost_liquidation
        0.05
        """
        names, values = preset_names(preset), dict(overrides or {})
        known = cls.presets(capabilities)
        for name in names:
            if name not in known:
                raise unknown_preset(name, known)
        problems = [f"{name} is not a parameter" for name in values if name not in dict(cls.table(capabilities))]
        built: list[Parameters] = []
        for row in capabilities:
            mine = [name for name in names if name in row.parameters.presets]
            own = {key: values[key] for key, _ in row.parameters.table() if key in values}
            try:
                built.append(row.parameters.build(mine, own))
            except InputError as error:
                problems.append(error.message)
        if problems:
            raise bad_parameters(problems)
        return cls(*built, capabilities=capabilities)

    @staticmethod
    def presets(capabilities: Capabilities = CAPABILITIES) -> list[str]:
        """Name the presets of all capabilities."""
        return list(dict.fromkeys(name for row in capabilities for name in row.parameters.presets))

    @staticmethod
    def table(capabilities: Capabilities = CAPABILITIES) -> Iterator[tuple[str, Bounds]]:
        """Give every parameter's name and bounds."""
        for row in capabilities:
            yield from row.parameters.table()

    def to_dict(self) -> dict[str, Setting]:
        """Give every name and value."""
        return {name: value for part in self._parts.values() for name, value in part.to_dict().items()}

    def digest(self) -> str:
        """Name this set of values."""
        return digest_of(self.to_dict())

    def fold_digest(self) -> str:
        """Name the values that the fold uses: two memories folded with equal digests used equal numbers."""
        folded = [self._parts[row.name].to_dict() for row in self.capabilities if row.parameters_fold]
        return digest_of({name: value for values in folded for name, value in values.items()})
