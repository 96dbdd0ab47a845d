"""Which parameters a space was made with: written down beside its ledger, and agreed on when it is opened."""

from __future__ import annotations

import json

from asterism.core.ledger.parameters import Preset, Setting, preset_names
from asterism.core.space.parameters import SpaceParameters
from asterism.errors import CorruptError, InputError
from asterism.hints import Hint, step


def recorded(preset: Preset, overrides: dict[str, Setting]) -> str:
    """Write down which parameters make a projection."""
    return json.dumps({"preset": list(preset_names(preset)), "overrides": overrides}, sort_keys=True)


def as_declared(overrides: dict[str, Setting], built: SpaceParameters) -> dict[str, Setting]:
    """Give a whole number as such where a float was told for it, as a page prints it: 4e+08 is 400000000."""
    values = built.to_dict()
    return {name: values[name] if isinstance(value, float) else value for name, value in overrides.items()}


def agreed(
    text: str | None, preset: Preset | None, overrides: dict[str, Setting], space: str
) -> tuple[tuple[str, ...], dict[str, Setting]]:
    """Settle which parameters hold: those the space was made with, or those asked for if it is new."""
    asked = preset_names(preset if preset is not None else "seed")
    if text is None:
        return asked, overrides
    made, kept_overrides = _read_back(text, space)
    same = (preset is None or _effective(asked) == _effective(made)) and (not overrides or overrides == kept_overrides)
    if not same:
        raise other_parameters(text, space)
    return made, kept_overrides


def other_parameters(text: str, space: str) -> InputError:
    """Say that a space was made with other parameters than were asked for."""
    made, overrides = _read_back(text, space)
    return InputError(
        f"space {space!r} was made with preset {'+'.join(made)} and {overrides or 'no overrides'}",
        code="other_parameters",
        item=space,
        hint=Hint("open it without a preset, or change it for good with ", step("configure", preset=...)),
    )


def _read_back(text: str, space: str) -> tuple[tuple[str, ...], dict[str, Setting]]:
    """Read what `recorded` wrote."""
    try:
        kept = json.loads(text)
        return tuple(kept["preset"]), dict(kept["overrides"])
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptError(
            f"the parameters of space {space!r} cannot be read: {error}",
            code="damaged_parameters",
            item=space,
            hint=Hint("record them again: ", step("configure", preset=...)),
        ) from error


def _effective(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name != "seed")
