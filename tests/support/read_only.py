"""A process that opens a memory, takes the right to write from its file and folder, and writes.

`python read_only.py PATH`: prints whether permissions bind it then.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from asterism import Memory

DAC_OVERRIDE, DAC_READ_SEARCH = 1 << 1, 1 << 2  # https://man7.org/linux/man-pages/man7/capabilities.7.html
VERSION_3 = 0x20080522


def give_up_rights() -> None:
    """Be bound by permissions, as everybody but root is."""
    libc = ctypes.CDLL(None)
    head, rights = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, rights) == 0
    rights[0] &= ~(DAC_OVERRIDE | DAC_READ_SEARCH)
    assert libc.capset(head, rights) == 0


def main(path: Path) -> None:
    with Memory.open_sync(path, space="me") as memory:
        memory.add_star("Sleep", domain="soul")
        path.chmod(0o444)
        path.parent.chmod(0o555)
        if os.geteuid() == 0:
            give_up_rights()
        try:
            os.close(os.open(path.with_name("new"), os.O_CREAT))
        except PermissionError:
            sys.stdout.write("bound")
        memory.add_star("Mood", domain="soul")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
