"""Files inside an installed package, found without importing it; and tensors in them, mapped instead of read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asterism.errors import AsterismError, InputError

TYPES: dict[str, np.dtype[np.generic]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4"), "I64": np.dtype("<i8")}
LONGEST_HEADER = 1_000_000

Tensor = NDArray[np.generic]


def is_installed(package: str) -> bool:
    """Say whether a package is there; it is not imported."""
    return find_spec(package) is not None


def package_file(package: str, inner: str, *, install: str) -> Path:
    """Find a file of an installed package; `install` is the line that installs it."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise InputError(
            f"the package {package}, which holds this embedder's weights, is not installed",
            code="missing_package",
            item=package,
            hint=f"{install}; or take the embedder 'hashed', which needs nothing",
        )
    path = Path(found.submodule_search_locations[0]) / inner
    if not path.is_file():
        raise damaged(path, "it is not there", install=install)
    return path


@cache
def mapped_tensors(path: Path, *, install: str) -> Mapping[str, Tensor]:
    """Map a safetensors file: 8 bytes with the length of the header, the header as JSON, the numbers as they are."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= LONGEST_HEADER:
                raise damaged(path, f"its header cannot have {length} bytes", install=install)
            header = json.loads(file.read(length))
        whole = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
        tensors = {}
        for name, told in header.items():
            if name != "__metadata__":
                start, end = told["data_offsets"]
                tensors[name] = whole[start:end].view(np.ndarray).view(TYPES[told["dtype"]]).reshape(told["shape"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged(path, f"{type(error).__name__}: {error}", install=install) from None
    return tensors


def damaged(path: Path, why: str, *, install: str) -> AsterismError:
    """Say that a file of a package cannot be used."""
    return AsterismError(
        f"{path.name} cannot be read: {why}",
        code="damaged_weights",
        item=str(path),
        hint=f"install it again: {install} --force-reinstall",
    )
