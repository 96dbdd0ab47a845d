"""What the person of the month wrote down on the side: plain notes, for `learn`, `dream` and `recall`."""

from __future__ import annotations

NOTES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Whenever I scroll on my phone after midnight I wake up worn out.", ("nights",)),
    ("The bedroom is cooler with the window open, and I drop off faster.", ("nights",)),
    ("Three evenings without a screen: fell asleep in ten minutes each time.", ("nights",)),
    ("Sunday's run along the canal, seven kilometres, felt easy.", ("body",)),
    ("After running I have energy for the whole morning.", ("body",)),
    ("My knee complains when I skip stretching.", ("body",)),
    ("Lena was sad that I missed dinner twice because of overtime.", ("home",)),
    ("I promised Lena to be home by six on Wednesdays.", ("home",)),
    ("I promised Lena to be home by seven on Thursdays.", ("home",)),
    ("The release at work slipped again, so everybody stays late.", ("work",)),
    ("Chapter four: the lighthouse keeper finds the letter.", ("novel",)),
    ("When the inner voice says it is all rubbish I stop writing.", ("novel",)),
    ("Writing before breakfast works, before that voice is awake.", ("novel",)),
    ("Put two hundred aside for the trip to Lisbon.", ("money",)),
)
QUESTION = "how could I get a better night's rest?"
