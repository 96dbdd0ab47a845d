"""What is said by somebody is talk: of its conversation, or of its day."""

from __future__ import annotations

from asterism.core.blocks.fold import Blocks, folded
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.shown import entry_of
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.items import Item, Payload, make_item


def learned(content: str, hour: int, **told: str) -> Item:
    payload: Payload = {
        "content": content,
        "tags": [],
        "category": "knowledge",
        "name": "",
        "conversation": "",
        "speaker": "",
    }
    at = hour * MICROS_PER_HOUR
    return make_item(space="me", what="learned", at=at, payload={**payload, **told}, known_at=at)


def entries(*items: Item) -> list[Entry]:
    blocks: Blocks = folded(items, BlockParameters())
    return [entry_of(blocks, block_id(str(item.payload["content"]))) for item in items]


def test_a_text_that_begins_with_a_name_is_said_by_it_and_belongs_to_the_talk_of_its_day() -> None:
    one, two, later = entries(
        learned("Ann: I moved to Oslo.", 9), learned("Bo: When?", 10), learned("Ann: In May.", 9 + 24)
    )
    assert [each.speaker for each in (one, two, later)] == ["Ann", "Bo", "Ann"]
    assert one.group == two.group != later.group != ""
    assert one.text == "Ann: I moved to Oslo."


def test_what_was_told_of_a_text_goes_before_what_it_begins_with() -> None:
    named, told, plain = entries(
        learned("Ann: a saint.", 9, name="Saint Ann"),
        learned("Ann: I moved.", 9, conversation="monday", speaker="Reader"),
        learned("Deploys fail when the cache is cold", 9),
    )
    assert (named.group, named.speaker) == ("", "")
    assert (told.group, told.speaker) == ("monday", "Reader")
    assert (plain.group, plain.speaker) == ("", "")


def test_somebodys_words_without_a_conversation_are_talk_of_their_day() -> None:
    said, begun, named = entries(
        learned("I moved.", 9, speaker="Ann"),
        learned("Bo: When?", 9, conversation="monday"),
        learned("Oslo is cold.", 9, speaker="Ann", name="Oslo"),
    )
    assert said.group != ""
    assert (begun.group, begun.speaker) == ("monday", "Bo")
    assert (named.group, named.speaker) == ("", "Ann")


def test_the_words_of_a_slot_say_what_its_values_are_about() -> None:
    (entry,) = entries(learned("Jonas drives a tram.", 9, slot="jonas/job"))
    assert entry.about == "jonas job"
