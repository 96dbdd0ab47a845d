"""What Mara wrote down on the side: plain notes, for `learn`, `dream` and `recall`.

They speak of her stars (overtime, the novel, a late screen), of the game she runs, and of the shares she holds. Two
have a name, so that other texts can speak of them: what is behind the ferryman, and what the lantern is.
"""

from __future__ import annotations

from typing import NamedTuple

SOURCE = "notes"


class Note(NamedTuple):
    """One note: what it says, its tags, and a name if it has one."""

    content: str
    tags: tuple[str, ...]
    name: str | None = None


BEFORE = (  # the game night
    Note("Whenever I scroll on my phone after midnight I wake up worn out.", ("nights",)),
    Note("The bedroom is cooler with the window open, and I drop off faster.", ("nights",)),
    Note("Three evenings without a screen: fell asleep in ten minutes each time.", ("nights",)),
    Note("Late screen again: drew the map of the drowned chapel until two.", ("nights", "game")),
    Note("After running I have energy for the whole morning.", ("body",)),
    Note("My knee complains when I skip stretching.", ("body",)),
    Note("Lena was sad that I missed dinner twice because of overtime.", ("home",)),
    Note("I promised Lena to be home by six on Wednesdays.", ("home",)),
    Note("I promised Lena to be home by seven on Thursdays.", ("home",)),
    Note("Chapter four of the novel: the lighthouse keeper finds the letter.", ("novel",)),
    Note("When the inner critic says it is all rubbish I stop writing.", ("novel",)),
    Note("If HARBOR comes back to 98.50, sell half of it and put that into the savings.", ("money",)),
    Note("Put two hundred aside for the trip to Lisbon.", ("money",)),
    Note("It was Sister Ansa of the chapel who tied him up. The players trust her.", ("game",), "Ferryman"),
    Note("It holds his soul: while it burns, it calls the drowned.", ("game",), "Lantern"),
)
AFTER = (
    Note("Tom wrote at midnight: he cannot stop thinking of the ferryman.", ("game",)),
    Note("For next time: the lantern must not burn while the ferryman is in the boat.", ("game",)),
)
LATE_NOTE = BEFORE[3].content  # where the walkers start


def rows(notes: tuple[Note, ...]) -> list[dict[str, object]]:
    """Give notes as `learn_many` takes them."""
    return [each._asdict() | {"category": "note", "source": SOURCE} for each in notes]
