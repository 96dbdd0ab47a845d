"""What is asked in other words than it was told: small tables of everyday English, written by hand.

    SAME       words for one thing: whichever is used, they are looked up as one ("GP", "doctor")
    PHRASES    several words that mean what one does ("out of order": "broken")
    TOLD_AS    what is asked for by a noun and told by another word ("diet": "vegan", "allergic")

The first two hold both ways and for every text, which keeps its own words beside the one for a phrase; the third only
leads from a question to what may answer it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_SAME = """
doctor gp physician, mother mum mom mommy mummy, father dad daddy, grandmother grandma granny, grandfather grandpa
grandad granddad, child kid, manager boss supervisor, job occupation profession, colleague coworker, flat apartment,
film movie, photo photograph, bicycle bike, phone telephone cellphone, television tv telly, fridge refrigerator,
holiday vacation, lorry truck, lift elevator, rubbish garbage trash, rucksack backpack, repair mend, buy purchase,
start begin commence, quit resign, ill sick, price cost, exam examination, medicine medication, allergic allergy,
weigh weight, tall height, birthday birthdate, surname lastname, car automobile, postpone delay,
colour color, favourite favorite, neighbour neighbor, grey gray, centre center, theatre theater, licence license,
jewellery jewelry, metre meter, kilometre kilometer, litre liter, organise organize, realise realize,
behaviour behavior, recognise recognize, apologise apologize, programme program, flavour flavor, harbour harbor,
humour humor, labour labor
"""
SAME: Sequence[Sequence[str]] = [group.split() for group in _SAME.split(",")]  # the first stands for all

_PHRASES = {
    "broken": "out of order",
    "job": "for a living, for my living, for his living, for her living, for our living, for their living,"
    " work as a, work as an, works as a, works as an, worked as a, worked as an, working as a,"
    " working as an, employed as a, employed as an",
    "manager": "i report to, i reported to, we report to, we reported to, they report to, he reports to,"
    " he report to, she reports to, she report to",
    "doctor": "general practitioner, family doctor",
    "died": "passed away, pass away, passes away, passing away",
    "forgo": "gave up, give up, gives up, giving up, given up",
    "phone": "cell phone, mobile phone",
    "postcode": "zip code, post code, postal code",
    "surname": "last name, family name",
    "birthday": "date of birth, birth date",
    "age": "how old, years old, year old",
    "height": "how tall",
    "weight": "how heavy",
    "distance": "how far",
    "price": "how expensive",
    "wifi": "wi fi",
    "email": "e mail",
    "colleague": "co worker, co workers",
    "care": "look after, looks after, looked after, looking after, take care of, takes care of, took care of,"
    " taking care of, taken care of",
    "cancelled": "call off, calls off, called off, calling off",
    "postponed": "put off, puts off, putting off",
    "rejected": "turn down, turns down, turned down, turning down",
    "relocate": "moved to, move to, moves to, moving to, moved into, move into, moves into, moving into",
    "collect": "pick up, picks up, picked up, picking up",
    "discard": "threw away, throw away, throws away, thrown away, threw out, throw out, throws out, thrown out,"
    " get rid of, gets rid of, got rid of",
    "leave": "i left, you left, he left, she left, we left, they left, who left",
    "see": "i saw, you saw, he saw, she saw, we saw, they saw, who saw",
    "find": "i found, you found, he found, she found, we found, they found, who found",
    "feel": "i felt, you felt, he felt, she felt, we felt, they felt, who felt",
}
PHRASES: Mapping[tuple[str, ...], str] = {
    tuple(phrase.split()): word for word, phrases in _PHRASES.items() for phrase in phrases.split(",")
}
_LONGEST = {first: max(len(each) for each in PHRASES if each[0] == first) for first, *_ in PHRASES}

TOLD_AS: Mapping[str, Sequence[str]] = {
    asked: told.split()
    for asked, told in {
        "diet": "eat vegan vegetarian allergic meat gluten lactose",
        "job": "employ teach",
        "address": "live relocate",
        "home": "live relocate",
        "live": "relocate",
        "fix": "repair",
        "employer": "work employ",
        "company": "work employ",
        "birthday": "born",
        "age": "born birthday",
        "vehicle": "car van bicycle motorbike",
        "pet": "dog cat rabbit hamster",
        "medicine": "tablet pill",
        "instrument": "piano guitar violin cello drums flute",
        "hobby": "enjoy play",
        "weather": "rain snow sun storm",
        "relationship": "married divorce engage dating",
        "partner": "married husband wife engage dating",
        "price": "euros pounds dollars",
        "charge": "price euros pounds dollars",
        "name": "call",
        "wash": "laundry",
        "laundry": "wash",
        "clean": "tidy hoover mop",
        "collect": "fetch",
        "discard": "sell scrap dump",
        "hurt": "injure sprain bruise break",
        "visit": "stay come",
        "want": "prefer wish",
        "prefer": "want favourite",
        "supply": "supplier deliver order",
        "use": "drive ride",
        "sibling": "brother sister",
        "parent": "mother father",
        "wedding": "marry",
        "marry": "wedding",
        "death": "die",
        "trip": "travel fly flight",
        "travel": "trip fly flight",
        "newspaper": "article",
        "paper": "newspaper article",
        "password": "code pin",
        "appointment": "meeting",
        "meeting": "appointment",
        "quarrel": "argue fight",
        "ill": "flu fever cough cold",
        "sport": "run swim football tennis gym",
        "finish": "complete",
    }.items()
}


def joined(words: Sequence[str]) -> list[str]:
    """Put one word in the place of several that mean the same: what a question asks for.

    >>> joined(["is", "the", "lift", "out", "of", "order", "again"])
    ['is', 'the', 'lift', 'broken', 'again']
    """
    return [word for phrase, word in _read(words) for word in ([word] if word else phrase)]


def widened(words: Sequence[str]) -> list[str]:
    """Add to several words the one that means the same: what a text may be found by.

    >>> widened(["the", "lift", "was", "out", "of", "order", "again"])
    ['the', 'lift', 'was', 'out', 'of', 'order', 'broken', 'again']
    """
    return [word for phrase, word in _read(words) for word in (*phrase, *([word] if word else ()))]


def _read(words: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Walk over the words: each phrase, the longest that begins there, with the word for it; all else without one."""
    if _LONGEST.keys().isdisjoint(words):
        yield words, ""
        return
    place = 0
    while place < len(words):
        longest = min(_LONGEST.get(words[place], 1), len(words) - place)
        phrases = (tuple(words[place : place + length]) for length in range(longest, 1, -1))
        phrase = next((each for each in phrases if each in PHRASES), (words[place],))
        yield phrase, PHRASES.get(phrase, "")
        place += len(phrase)
