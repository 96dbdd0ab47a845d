"""A memory that was told of everything: stars, blocks, a market, a transcript, explorations, over some weeks."""

from __future__ import annotations

from asterism.core.dialogue.lines import Line
from tests.support.memories import DAY, NOON, AnyMemory, HandClock

TALK = [
    Line(0, "Bo", "Where is the key?"),
    Line(1, "DM", "Yes, the key is in the chest."),
    Line(2, "Bo", "I open the chest."),
    Line(3, "DM", "The chest creaks open."),
    Line(4, "Bo", "Maybe we could rest here."),
    Line(5, "Cy", "I attack the goblin with the axe!"),
    Line(6, "DM", "The goblin falls."),
]
TEXTS = {
    "Lena was sad about dinner.": ["lena"],
    "I promised Lena to cook dinner.": ["lena"],
    "Lena likes soup for dinner.": ["lena", "soup"],
    "Soup needs onions and salt.": ["soup"],
    "The garden needs water in the morning.": [],
}
SYMBOL = "BTCUSDT"


def tell_everything(memory: AnyMemory, clock: HandClock) -> dict[str, str]:
    """Tell a new memory of everything, day by day; give the ids of its blocks by their first word."""
    for name, domain in (
        ("Sleep", "health"),
        ("Mood", "soul"),
        ("Running", "health"),
        ("Lena", "relationships"),
        ("Coffee", "health"),
        ("Rest", "health"),
    ):
        memory.add_star(name, domain=domain)
    memory.acknowledge("sleep")
    blocks = {text: memory.learn(text, tags=tags, source="diary").id for text, tags in TEXTS.items()}
    film = memory.learn("Lone Wolf was directed by Steve Carver.", name="Lone Wolf").id
    carver = memory.learn("A director, born in Brooklyn.", name="Steve Carver").id
    chat = [memory.learn(text, conversation="chat", at=clock.now).id for text in ("Where to?", "To the sea.")]
    memory.begin_session("work")
    memory.dream()
    told = list(blocks.values())
    for day in range(24):
        clock.now = NOON + day * DAY
        bright = 0.3 + 0.4 * (day % 3 == 0)
        memory.set_brightness("sleep", bright)
        if day % 3 == 1:
            memory.engage("running")
            memory.set_brightness("mood", 0.7)
        elif day % 3 == 2:
            memory.set_brightness("mood", 0.35)
        if day < 9:
            memory.observe("sleep", "mood", "user_confirms", source="diary")
            memory.observe("coffee", "rest", "user_confirms", source="diary")
        if day == 4:
            memory.assign_type("coffee", "rest", "causation")
        if day % 4 == 0:
            memory.set_brightness("coffee", 0.3 if day % 8 else 0.8)
            clock.now += DAY / 4
            (memory.end_session if day % 8 == 0 else memory.begin_session)("work")
            memory.set_brightness("rest", 0.8 if day % 8 else 0.3)
        if day == 1:
            memory.observe("running", "lena", "co_mention_session")
            memory.observe("running", "lena", "user_confirms")
        if day in (2, 3, 4):
            memory.used(told[:2], session=f"day {day}")
        if day in (3, 9):
            memory.outcome(told[1:3], 0.9)
        if day == 5:
            memory.outcome([told[4]], 0.1)
        if day == 6:
            memory.observe(told[0], "lena", "user_creates", note="about her")
            memory.deny("running", "lena")
    memory.read_transcript(TALK, session="Game 1", responders=["DM"], started_at=NOON + 10 * DAY)
    start = int((NOON + 3 * DAY).timestamp())
    rows = [
        {"kind": "trade", "at": start + 60 * step, "price": 50_000.0 + 250 * (step % 3), "usd": 900_000.0}
        for step in range(40)
    ]
    memory.feed(SYMBOL, rows)
    memory.explore("what about Lena?", intention="be kind to Lena")
    clock.now += DAY
    memory.explore("dinner with Lena", intention="cook something")
    memory.begin_session("evening")
    clock.now += DAY / 12
    memory.end_session("evening")
    return blocks | {"film": film, "carver": carver, "chat 0": chat[0], "chat 1": chat[1]}
