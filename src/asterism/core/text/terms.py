"""Terms: what words are looked up by. "ran" is a form of "run", and no ending says so.

A term is the stem of a word's base form, or of the word that stands for it (`paraphrases`). The base forms are a table
of the common irregular verbs and nouns of English, and of those regular ones that the light stemmer does not bring
together. Left out are forms that are more often another word: "lay", "rose", "ground", "wound", "bit", "bore",
"leaves", "lives", "left", "saw", "felt", "found", "led", "lit"; of some a pronoun tells (`paraphrases`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from asterism.core.text.paraphrases import SAME, TOLD_AS
from asterism.core.text.stems import stem

_FORMS = """
arise arose arisen, awake awoke awoken, bear borne, beat beaten, begin began begun, bend bent, bind bound, bite bitten,
bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn,
dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, fight fought,
flee fled, fling flung, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, grow grew grown, hang hung, hear heard, hide hid hidden, hold held,
keep kept, kneel knelt, know knew known, lean leant, leap leapt, learn learnt, lend lent,
lose lost, make made, mean meant, meet met, mow mown, pay paid, plead pled, prove proven, ride rode ridden,
ring rang rung, rise risen, run ran, say said, see seen, seek sought, sell sold, send sent, sew sewn,
shake shook shaken, shave shaven, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung,
sink sank sunk, sit sat, sleep slept, slide slid, smell smelt, sow sown, speak spoke spoken, speed sped, spell spelt,
spend spent, spill spilt, spin spun, spit spat, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen,
stick stuck, sting stung, stink stank stunk, stride strode, strike struck stricken, string strung,
strive strove striven, swear swore sworn, sweep swept, swell swollen, swim swam swum, swing swung, take took taken,
teach taught, tear tore torn, tell told, think thought, throw threw thrown, tread trod trodden, wake woke woken,
wear wore worn, weave wove woven, weep wept, wring wrung, write wrote written,
foresee foresaw foreseen, mislead misled, mistake mistook mistaken, misunderstand misunderstood, outgrow outgrew
outgrown, overcome overcame, overhear overheard, oversee oversaw overseen, oversleep overslept, overtake overtook
overtaken, rebuild rebuilt, redo redid redone, remake remade, repay repaid, resell resold, rerun reran, retell retold,
rewrite rewrote rewritten, undergo underwent undergone, understand understood, undertake undertook undertaken,
undo undid undone, uphold upheld, withdraw withdrew withdrawn, withhold withheld, withstand withstood,
child children, foot feet, goose geese, half halves, knife knives, loaf loaves, louse lice, man men, mouse mice,
ox oxen, person people, scarf scarves, shelf shelves, thief thieves, tooth teeth, wife wives, wolf wolves, woman women,
grandchild grandchildren, housewife housewives, policeman policemen, policewoman policewomen, salesman salesmen,
add added adding, cancel cancelled cancelling, control controlled controlling, die dies died dying,
equal equalled equalling, fuel fuelled fuelling, fulfil fulfilled fulfilling, label labelled labelling,
lie lies lied lying, model modelled modelling, pie pies, propel propelled propelling, quarrel quarrelled quarrelling,
rebel rebelled rebelling, signal signalled signalling, sniff sniffed sniffing, stuff stuffed stuffing,
tie ties tied tying, travel travelled travelling, traveler traveller travellers, tunnel tunnelled tunnelling
"""
BASES = {form: base for base, *forms in map(str.split, _FORMS.split(",")) for form in forms}  # of irregular forms
_STANDING = {stem(word): stem(first) for first, *others in SAME for word in others}


@lru_cache(maxsize=1 << 16)
def term_of(word: str) -> str:
    """Give what a folded word is looked up by.

    >>> [term_of(word) for word in ("ran", "runs", "running", "children", "child", "travelled", "died", "2023")]
    ['run', 'run', 'run', 'child', 'child', 'travel', 'die', '2023']
    >>> term_of("movies"), term_of("film")
    ('film', 'film')
    """
    term = own_term(word)
    return _STANDING.get(term, term)


def own_term(word: str) -> str:
    """Give the term of a folded word itself, whatever stands for it.

    >>> own_term("films"), own_term("dads"), own_term("children")
    ('film', 'dad', 'child')
    """
    return stem(BASES.get(word, word))


TOLD_FOR: Mapping[str, frozenset[str]] = {  # by a term that is asked for, the terms that tell it
    term_of(asked): frozenset(map(term_of, told)) for asked, told in TOLD_AS.items()
}
