"""What was sent to a store, for the case that nobody can say how the write ended.

A commit that the disk fails to confirm may be there when the file is next opened, or not. Whoever sent it is told so,
and handed the items with the ids and times they were given: taken in as a ledger, they are there once,
whichever it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from asterism.core.ledger.calendar import written
from asterism.core.ledger.items import Item
from asterism.core.space.projection import FOLD_VERSION
from asterism.engine.space.follow import Following
from asterism.errors import MaybeWrittenError, StoreError
from asterism.formats.ledger import Header, header_line, item_line
from asterism.hints import Hint, in_python, option

DO_IT_AGAIN = "do the same again: what is there already stays one"


class Sending:
    """Within it items are sent and then read back; an error of the store says what is known of them."""

    def __init__(self, live: Following) -> None:
        self._live = live
        self.items: Sequence[Item] = ()
        self.is_committed = False

    def __enter__(self) -> Sending:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, StoreError):
            return
        if self.is_committed:
            what = f"it is written, and could not be read back: {error.message}"
            raise self._carried(MaybeWrittenError(what, code="not_read_back", item=error.item)) from error
        if isinstance(error, MaybeWrittenError):
            self._carried(error)

    def _carried(self, error: MaybeWrittenError) -> MaybeWrittenError:
        live, items = self._live, self.items
        if items:
            header = Header(live.space, live.preset, live.overrides, None, FOLD_VERSION)
            error.ledger = header_line(header) + b"".join(map(item_line, items))
        error.hint = Hint(
            "to be sure, once the file can be written: ",
            in_python(
                "import_(io.BytesIO(error.ledger)) adds what is not there" if items else DO_IT_AGAIN,
                otherwise=_at_its_time(items),
            ),
        )
        return error


def _at_its_time(items: Sequence[Item]) -> Hint:
    """Say how somebody sends the same again who has no ledger in hand: told of the same time, it is the same item."""
    times = {item.at for item in items}
    if len(times) != 1:
        return Hint(DO_IT_AGAIN)
    return Hint("do the same again with ", option("at", written(times.pop())), ": what is there already stays one")
