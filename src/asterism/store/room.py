"""Room to write: on the disk, and below the limit that the process has for the size of a file."""

from __future__ import annotations

import shutil
from pathlib import Path

ONE_PAGE = 4096  # bytes


def largest_file() -> int | None:
    """Say how large a file of this process may be; None if it may have any size."""
    try:
        import resource
    except ImportError:  # there is none on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else int(limit)


def is_full(path: Path) -> bool:
    """Say whether it is for want of room that a database could not be written: none is left, or a limit is reached."""
    try:
        files = [each for ending in ("", "-wal", "-shm") if (each := path.with_name(path.name + ending)).exists()]
        limit = largest_file()
        if limit is not None and any(each.stat().st_size >= limit for each in files):
            return True
        return shutil.disk_usage(path.parent).free < ONE_PAGE
    except OSError:  # it is not even there
        return False
