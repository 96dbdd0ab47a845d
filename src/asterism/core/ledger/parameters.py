"""Parameters: one table that feeds defaults, validation, presets and the docs page.

A capability declares its constants as a frozen dataclass whose fields are made by `number` or `choice`; the
field carries default, bounds, unit, source section and meaning. Presets are named sets of differences and
combine from left to right: `("seed", "tuned")`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, Self

from asterism.core.ledger.arguments import is_number
from asterism.errors import InputError
from asterism.hints import Hint, elsewhere, in_python, option, step

Setting = float | int | str
Preset = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a parameter may be, and where it comes from."""

    default: Setting
    low: float
    high: float
    choices: tuple[str, ...]
    unit: str
    source: str
    meaning: str

    def problem(self, value: object) -> str | None:
        """Say what is wrong with a value, or nothing; a whole number may be written as a float is, 4e+08."""
        if self.choices:
            return None if value in self.choices else f"is not one of {', '.join(self.choices)}"
        if not isinstance(value, int | float) or not is_number(value):
            return "is not a finite number"
        if isinstance(self.default, int) and value != int(value):
            return "is not a whole number"
        return None if self.low <= value <= self.high else f"is not between {self.low:g} and {self.high:g}"


def number(default: float, low: float, high: float, unit: str, source: str, meaning: str) -> float:
    """Declare a real-valued parameter; the dataclass machinery turns the field into its default."""
    bounds = Bounds(float(default), low, high, (), unit, source, meaning)
    return field(default=float(default), metadata={"bounds": bounds})


def count(default: int, low: int, high: int, unit: str, source: str, meaning: str) -> int:
    """Declare a whole-number parameter."""
    return field(default=default, metadata={"bounds": Bounds(default, low, high, (), unit, source, meaning)})


def choice(default: str, choices: tuple[str, ...], source: str, meaning: str) -> str:
    """Declare a parameter that takes one of a few words."""
    return field(default=default, metadata={"bounds": Bounds(default, 0, 0, choices, "word", source, meaning)})


class Parameters:
    """What every capability's parameters can do; subclasses are frozen dataclasses."""

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {"seed": {}}

    @classmethod
    def table(cls) -> Iterator[tuple[str, Bounds]]:
        """Give every parameter's name and bounds, in the order of declaration."""
        for declared in fields(cls):  # type: ignore[arg-type]  # subclasses are dataclasses
            yield declared.name, declared.metadata["bounds"]

    @classmethod
    def build(cls, preset: Preset = "seed", overrides: Mapping[str, Setting] | None = None) -> Self:
        """Combine presets and single values; every violation is reported at once."""
        values: dict[str, Setting] = {}
        for name in preset_names(preset):
            if name not in cls.presets:
                raise unknown_preset(name, cls.presets)
            values.update(cls.presets[name])
        values.update(overrides or {})
        known = dict(cls.table())
        problems = [
            f"{name} = {value!r} {known[name].problem(value)}"
            for name, value in values.items()
            if name in known and known[name].problem(value)
        ]
        problems += [f"{name} is not a parameter" for name in values if name not in known]
        if not problems:
            built = cls(**{name: _as_declared(known[name], value) for name, value in values.items()})
            problems = built.contradictions()
            if not problems:
                return built
        raise bad_parameters(problems)

    def contradictions(self) -> list[str]:
        """Name the parameters that are each in bounds but do not go together."""
        return []

    def to_dict(self) -> dict[str, Setting]:
        """Give every name and value."""
        return {name: getattr(self, name) for name, _ in self.table()}

    def digest(self) -> str:
        """Name this set of values: two memories folded with equal digests used equal numbers."""
        return digest_of(self.to_dict())


def unknown_preset(name: str, known: Iterable[str]) -> InputError:
    """Give the error for a name that is none of the known presets."""
    return InputError(
        f"there is no preset {name!r}",
        code="unknown_preset",
        item=name,
        hint=Hint(
            "use ",
            elsewhere(option("preset"), " "),
            ", ".join(known),
            in_python(" or a tuple of them", otherwise="; given twice, they are combined"),
        ),
    )


def bad_parameters(problems: Sequence[str]) -> InputError:
    """Give the error for values that cannot be; each problem begins with the parameter's name."""
    return InputError(
        "; ".join(problems),
        code="bad_parameters",
        item=problems[0].split(" ")[0],
        hint=Hint(
            in_python(
                "the page docs/parameters.md lists every name, bound and unit",
                otherwise=Hint(step("parameters"), " lists every name and value; docs/parameters.md their bounds"),
            )
        ),
    )


def digest_of(values: Mapping[str, Setting]) -> str:
    """Name a set of values: equal values, whatever their order, have equal names."""
    return hashlib.sha256(json.dumps(dict(values), sort_keys=True).encode()).hexdigest()[:16]


def preset_names(preset: Preset) -> tuple[str, ...]:
    """Read a preset argument as the tuple of names it stands for.

    >>> preset_names("tuned"), preset_names(("seed", "tuned"))
    (('tuned',), ('seed', 'tuned'))
    """
    names: object = (preset,) if isinstance(preset, str) else preset
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"{preset!r} is no preset", code="unknown_preset", item=str(preset), hint="give a name, or a tuple of names"
        )
    return tuple(names)


def settings_of(parameters: Mapping[str, Setting] | None) -> dict[str, Setting]:
    """Read a parameters argument as the values it stands for.

    >>> settings_of({"soft_cap": 20}), settings_of(None)
    ({'soft_cap': 20}, {})
    """
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InputError(
            f"{parameters!r} is no set of parameters",
            code="bad_parameters",
            item=str(parameters),
            hint='give names with values: {"half_life_resonance": 45}',
        )
    return dict(parameters or {})


def read_settings(texts: Iterable[str]) -> dict[str, Setting]:
    """Read values as they are written, NAME=VALUE each.

    >>> read_settings(["soft_cap=20", "revisit = left", "band_bps=2.5"])
    {'soft_cap': 20, 'revisit': 'left', 'band_bps': 2.5}
    """
    read: dict[str, Setting] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise InputError(
                f"{text!r} is not NAME=VALUE", code="bad_parameters", item=text, hint="write it as soft_cap=20"
            )
        read[name.lower()] = _read(value)
    return read


def _read(text: str) -> Setting:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _as_declared(bounds: Bounds, value: Setting) -> Setting:
    return value if isinstance(value, str) else float(value) if isinstance(bounds.default, float) else int(value)
