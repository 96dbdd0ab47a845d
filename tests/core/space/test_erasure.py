"""What an erasure, or a memory without something, tells whoever asked."""

from __future__ import annotations

from asterism.core.space.erasure import Difference, Manifest, Mention, WhatIf


def mention(name: str, *, taken: bool) -> Mention:
    return Mention("00" * 16, "learned", name, f"{name} keeps bees", taken)


def manifest(
    *mentions: Mention,
    dry_run: bool = False,
    ids: int = 2,
    note: str = "",
    called: dict[str, str] | None = None,
    sessions: dict[str, tuple[str, ...]] | None = None,
) -> Manifest:
    return Manifest(
        subject="node:ada",
        dry_run=dry_run,
        items={"learned": ids},
        ids=tuple(f"{number:032x}" for number in range(ids)),
        lost=(),
        trimmed=(),
        nodes=("ada",),
        returning=(),
        mentions=mentions,
        vectors=1_234,
        checkpoints=0,
        caches=0,
        tombstone="",
        scrubbed=True,
        note=note,
        called=called or {},
        sessions=sessions or {},
    )


def test_an_erasure_counts_what_went() -> None:
    assert str(manifest()).splitlines() == [
        "node:ada: 2 items erased",
        "  2 learned",
        "  1 node, 1,234 vectors, 0 checkpoints",
    ]


def test_a_dry_run_says_what_would_go_under_its_name_and_why() -> None:
    told = manifest(
        dry_run=True,
        ids=1,
        called={"ada": "Ada"},
        sessions={"Ferry": ("Ada",), "Inn": ("Ada", "Bo"), "Pier": ()},
        note="somebody reads the file",
    )
    assert told.title == "node:ada (Ada)"
    assert str(told).splitlines() == [
        "node:ada (Ada): 1 item would be erased",
        "  1 learned",
        "  1 node, 1,234 vectors, 0 checkpoints",
        "  session Ferry goes whole, because Ada speaks in it",
        "  session Inn goes whole, because Ada and Bo speak in it",
        "  session Pier goes whole",
        "  somebody reads the file",
    ]


def test_texts_that_are_left_with_the_name_in_them_are_told_with_what_takes_them_along() -> None:
    assert manifest().still_named == ""
    assert manifest(mention("Ada", taken=False)).still_named == "1 text still names Ada"
    assert manifest(mention("Ada", taken=True)).still_named == "1 text still names Ada; name:Ada takes it along"
    both = mention("Ada", taken=True), mention("Lovelace", taken=True)
    assert manifest(*both).still_named == (
        "2 texts still name Ada or Lovelace; name:Ada and name:Lovelace takes them along"
    )
    some = manifest(mention("Ada", taken=True), mention("Ada", taken=False))
    assert some.still_named == "2 texts still name Ada; name:Ada takes 1 of them along"
    assert str(some).splitlines()[-3:] == [
        f"  {some.still_named}",
        *(f"    learned {'00' * 16}: Ada keeps bees" for _ in range(2)),
    ]


def what_if(*changes: Difference, left_out: int = 0, **totals: dict[str, int]) -> WhatIf:
    return WhatIf("source:diary", {}, (), 0, (), 0, 0, changes, left_out, totals, "")


def test_a_memory_without_something_says_what_would_change() -> None:
    gone = Difference("star", "sleep", "gone", {"brightness": 0.5}, None, 1.0)
    weaker = Difference(
        "link",
        "mood~sleep",
        "changed",
        {"strength": 0.123456, "state": "WEAK", "kind": "x"},
        {"strength": 0.1, "state": "NASCENT"},
        0.02,
    )
    told = what_if(gone, weaker, left_out=3, star={"gone": 1}, link={"gone": 2, "changed": 1})
    assert str(told).splitlines() == [
        "Without source:diary:",
        "  star: 1 gone",
        "  link: 2 gone, 1 changed",
        "  gone star sleep",
        "  changed link mood~sleep: strength 0.12346 -> 0.1, state WEAK -> NASCENT",
        "  and 3 more",
    ]
    assert str(what_if()).splitlines() == ["Without source:diary:", "  nothing would change"]
