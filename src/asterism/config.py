"""The one reader of the environment: where the memory is, which space, what embeds, whether colours are wanted.

ASTERISM_DB            the memory's file or URL          else the platform's data folder
ASTERISM_SPACE         the space inside it               else "default"
ASTERISM_EMBEDDER      what makes vectors of texts       else what made those there are, else the offline default
ASTERISM_EMBEDDER_KEY  the key of a remote embedder      else none is sent
ASTERISM_TOKEN         what clients of a server send     else it is read from a file
NO_COLOR               set to anything: no colours (https://no-color.org)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_SPACE = "default"


@dataclass(frozen=True, slots=True)
class Config:
    """What the environment says."""

    db: str | Path
    db_is_default: bool
    space: str
    color: bool
    embedder: str | None = None
    embedder_key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


def load(environment: Mapping[str, str] | None = None, *, platform: str = sys.platform) -> Config:
    """Read the environment; an empty variable counts as not set.

    >>> load({"ASTERISM_SPACE": "me", "XDG_DATA_HOME": "/data"}, platform="linux").db.as_posix()
    '/data/asterism/memory.db'
    """
    env = os.environ if environment is None else environment
    named = env.get("ASTERISM_DB")
    return Config(
        db=named or data_folder(env, platform=platform) / "memory.db",
        db_is_default=not named,
        space=env.get("ASTERISM_SPACE") or DEFAULT_SPACE,
        color=not env.get("NO_COLOR"),
        embedder=env.get("ASTERISM_EMBEDDER") or None,
        embedder_key=env.get("ASTERISM_EMBEDDER_KEY") or None,
        token=env.get("ASTERISM_TOKEN") or None,
    )


def data_folder(env: Mapping[str, str], *, platform: str) -> Path:
    """Give the folder where a program of this platform keeps a user's data.

    >>> data_folder({"HOME": "/home/ada"}, platform="linux").as_posix()
    '/home/ada/.local/share/asterism'
    >>> data_folder({"HOME": "/Users/ada"}, platform="darwin").as_posix()
    '/Users/ada/Library/Application Support/asterism'
    """
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / "asterism"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "asterism"
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "asterism"
