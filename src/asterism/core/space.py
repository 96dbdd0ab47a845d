"""The parameters of a space: those of every capability, under one set of presets and values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.levels.parameters import LevelParameters
from asterism.core.parameters import Bounds, Parameters, Preset, Setting, preset_names
from asterism.errors import InputError


@dataclass(frozen=True)
class SpaceParameters:
    """What every capability of a space is folded with; a name belongs to one of them."""

    connections: ConnectionParameters = field(default_factory=ConnectionParameters)
    levels: LevelParameters = field(default_factory=LevelParameters)

    @classmethod
    def build(cls, preset: Preset = "seed", overrides: Mapping[str, Setting] | None = None) -> SpaceParameters:
        """Combine presets and single values; every violation in every capability is reported at once.

        >>> SpaceParameters.build("rule3", {"soft_cap": 20}).levels.boost_liquidation
        0.05
        """
        names, values = preset_names(preset), dict(overrides or {})
        for name in names:
            if name not in cls.presets():
                raise InputError(
                    f"there is no preset {name!r}",
                    code="unknown_preset",
                    item=name,
                    hint=f"use {', '.join(cls.presets())} or a tuple of them",
                )
        problems = [f"{name} is not a parameter" for name in values if name not in dict(cls.table())]
        built: dict[str, Parameters] = {}
        for part, kind in CAPABILITIES.items():
            mine = [name for name in names if name in kind.presets]
            try:
                built[part] = kind.build(mine, {key: values[key] for key, _ in kind.table() if key in values})
            except InputError as error:
                problems.append(error.message)
        if problems:
            raise InputError(
                "; ".join(problems),
                code="bad_parameters",
                item=problems[0].split(" ")[0],
                hint="the page docs/parameters.md lists every name, bound and unit",
            )
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
        return {name: value for part in fields(self) for name, value in getattr(self, part.name).to_dict().items()}

    def digest(self) -> str:
        """Name this set of values: two memories folded with equal digests used equal numbers."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]


CAPABILITIES: Mapping[str, type[Parameters]] = {"connections": ConnectionParameters, "levels": LevelParameters}
