"""Other systems, each in an environment of its own, installed by name; nothing is installed unless a folder is given.

    ASTERISM_BENCH_PEERS=/some/folder python -m bench dream recall

The first run installs (txtai takes 5.5 GB and ten minutes, since it needs torch); later ones use what is there. What
cannot be installed in its time is told and left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

FOLDER = "ASTERISM_BENCH_PEERS"
QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
OFFLINE = {"HF_HUB_OFFLINE": "1", "MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "ANONYMIZED_TELEMETRY": "False"}


@dataclass(frozen=True)
class Peer:
    """Another system: what to install, how long that may take, and the script that measures it."""

    name: str
    packages: tuple[str, ...]
    script: str
    seconds: int = 600


ELFMEM = Peer("elfmem", ("elfmem==0.20",), "dream_elfmem.py")
ELFMEM_RECALL = Peer("elfmem", ("elfmem==0.20",), "recall_elfmem.py")
LANGGRAPH = Peer("langgraph", ("langgraph", "numpy"), "recall_langgraph.py")
MEM0 = Peer("mem0", ("mem0ai",), "recall_mem0.py")
TXTAI = Peer("txtai", ("txtai[graph]==9.14",), "recall_txtai.py", seconds=1_800)


class AbsentError(Exception):
    """A peer that cannot be measured here, and why."""


def measured(peer: Peer, *arguments: str, seconds: int = 1_800) -> dict[str, float]:
    """Run a peer's script in its environment and read the line of JSON that it ends with."""
    python = installed(peer)
    script = Path(__file__).with_name(peer.script)
    try:
        done = subprocess.run(
            [str(python), str(script), *arguments],
            check=True,
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, **QUIET, **OFFLINE},
        )
    except subprocess.TimeoutExpired:
        raise AbsentError(f"{peer.name} did not end within {seconds} s") from None
    except subprocess.CalledProcessError as problem:
        raise AbsentError(f"{peer.name} failed: {_last_line(problem.stderr)}") from None
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told


def installed(peer: Peer) -> Path:
    """Give the Python of a peer's environment, making it at first."""
    if FOLDER not in os.environ:
        raise AbsentError(f"{peer.name} is left out: set {FOLDER} to a folder to install it in")
    home = Path(os.environ[FOLDER]) / peer.name
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = home / "installed.txt"
    if not ready.exists():
        venv.create(home, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *peer.packages]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=peer.seconds)
        except subprocess.TimeoutExpired:
            raise AbsentError(f"{peer.name} was not installed within {peer.seconds} s") from None
        except subprocess.CalledProcessError as problem:
            raise AbsentError(f"{peer.name} could not be installed: {_last_line(problem.stderr)}") from None
        ready.write_text("\n".join(peer.packages) + "\n")
    return python


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]
