"""A process whose files may not grow: it writes until that is refused, then is given room again.

`python full_disk.py PATH`: prints the error's code, whether everything was as before, and whether work goes on.
"""

from __future__ import annotations

import resource
import signal
import sys

from asterism.errors import AsterismError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import contents, opened


async def fill(path: str) -> list[str]:
    store = SQLiteStore(path)
    async with opened(store) as memory:
        code = ""
        written, digest = contents(store), (await memory.verify()).digest
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
        for number in range(2_000):
            try:
                await memory.observe("sleep", "mood", "user_confirms", source=f"{number}", note="long " * 200)
            except AsterismError as error:
                code = error.code
                break
            written, digest = contents(store), (await memory.verify()).digest if number % 20 == 0 else ""
        as_before = contents(store) == written and (not digest or (await memory.verify()).digest == digest)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        receipt = await memory.observe("sleep", "mood", "user_confirms", source="after all")
        verified = await memory.verify()
        goes_on = verified.ok and len(contents(store)) == len(written) + 1 and not receipt.duplicate
    store.close()
    return [code, "as before" if as_before else "changed", "goes on" if goes_on else "stuck"]


if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.stdout.write(", ".join(drive(fill(sys.argv[1]))))
