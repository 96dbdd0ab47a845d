"""What is asked in other words than it was told: small tables of everyday English, written by hand.

    SAME       words for one thing: whichever is used, they are looked up as one ("GP", "doctor")
    PHRASES    several words that mean what one does ("out of order": "broken")
    TOLD_AS    what is asked for by a noun and told by another word ("diet": "vegan", "allergic")

The first two hold both ways and for every text; the third only leads from a question to what may answer it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_SAME = """
doctor gp physician, mother mum mom mommy mummy, father dad daddy, grandmother grandma granny, grandfather grandpa
grandad granddad, child kid, manager boss supervisor, job occupation profession, colleague coworker, flat apartment,
film movie, photo photograph, bicycle bike, phone telephone cellphone, television tv telly, fridge refrigerator,
holiday vacation, lorry truck, lift elevator, rubbish garbage trash, rucksack backpack, repair fix mend, buy purchase,
start begin commence, quit resign, ill sick, price cost, exam examination, medicine medication, allergic allergy,
weigh weight, tall height, birthday birthdate, surname lastname, car automobile, spouse partner, postpone delay,
colour color, favourite favorite, neighbour neighbor, grey gray, centre center, theatre theater, licence license,
jewellery jewelry, metre meter, kilometre kilometer, litre liter, organise organize, realise realize,
behaviour behavior, recognise recognize, apologise apologize, programme program, flavour flavor, harbour harbor,
humour humor, labour labor
"""
SAME: Sequence[Sequence[str]] = [group.split() for group in _SAME.split(",")]  # the first stands for all

_PHRASES = {
    "broken": "out of order, broke down, broken down, stopped working",
    "job": "for a living, work as, works as, worked as, working as, employed as",
    "manager": "report to, reports to, reporting to, reported to",
    "doctor": "general practitioner, family doctor",
    "died": "passed away, pass away, passes away",
    "quit": "gave up, give up, gives up, giving up",
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
    "cancelled": "call off, called off, calling off",
    "postponed": "put off, putting off, pushed back",
    "rejected": "turn down, turned down, turning down",
    "discard": "threw away, throw away, thrown away, threw out, throw out, get rid of, got rid of",
}
PHRASES: Mapping[tuple[str, ...], str] = {
    tuple(phrase.split()): word for word, phrases in _PHRASES.items() for phrase in phrases.split(",")
}
_LONGEST = {first: max(len(each) for each in PHRASES if each[0] == first) for first, *_ in PHRASES}

TOLD_AS: Mapping[str, Sequence[str]] = {
    asked: told.split()
    for asked, told in {
        "diet": "eat vegan vegetarian allergic meat gluten lactose",
        "job": "work employ teach",
        "address": "live move",
        "home": "live move",
        "employer": "work employ",
        "company": "work employ",
        "birthday": "born",
        "age": "born birthday",
        "vehicle": "drive car van bicycle motorbike",
        "pet": "dog cat rabbit hamster",
        "medicine": "tablet pill dose drops",
        "instrument": "play piano guitar violin cello drums flute",
        "hobby": "enjoy play collect",
        "weather": "rain snow sun storm",
        "relationship": "married single divorce engage dating",
        "price": "pay euros pounds dollars",
    }.items()
}


def joined(words: Sequence[str]) -> list[str]:
    """Put one word in the place of several that mean the same.

    >>> joined(["the", "lift", "was", "out", "of", "order", "again"])
    ['the', 'lift', 'was', 'broken', 'again']
    """
    if _LONGEST.keys().isdisjoint(words):
        return list(words)
    found: list[str] = []
    place = 0
    while place < len(words):
        longest = min(_LONGEST.get(words[place], 1), len(words) - place)
        for length in range(longest, 1, -1):
            word = PHRASES.get(tuple(words[place : place + length]))
            if word is not None:
                break
        else:
            word, length = words[place], 1
        found.append(word)
        place += length
    return found
