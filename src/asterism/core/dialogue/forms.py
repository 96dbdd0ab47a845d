"""Forms: what a line looks like before anybody asks what it means.

Each form is a named pattern over the lower-case text, without whom it speaks to at its start ("anna: thanks" is
`thanks`). A form says nothing of links by itself; the tables weigh forms and pairs of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from asterism.core.ledger.columns import Bools

_WH = "what|whats|what's|who|where|when|why|how|hows|how's|which|whose"
_AUX = "is|are|was|were|do|does|did|can|could|will|would|should|shall|may|has|have|am|any|anyone|anybody"
_DO = (
    "try|use|run|type|install|put|place|build|make|add|move|remove|take|pick|go|look|check|read|open|edit|get|set|"
    "start|stop|wait|let|tell|ask|give|click|select|enable|disable|reboot|restart|download|see|google|show|do|don't|"
    "keep|turn|write|copy|paste|boot|repeat|continue|destroy|delete|leave|fill|roll|say|find|change|apt-get|sudo|"
    "begin|connect|extend|stack|replicate|mirror|attach"
)
FORMS: tuple[tuple[str, str], ...] = (
    ("question", r"\?"),
    ("asks_wh", rf"^(?:(?:so|and|but|ok|okay|well|hey|hi|hmm|um|uh)\W+)*(?:{_WH})\b"),
    ("asks_aux", rf"^(?:(?:so|and|but|ok|okay|well|hey|hi|hmm|um|uh)\W+)*(?:{_AUX})(?:n't)?\b"),
    ("asks_help", r"\b(?:anyone|anybody|someone|somebody|help|how do i|how can i|how to)\b"),
    ("yes", r"^(?:yes|yeah|yep|yup|ya|yea|sure|correct|right|exactly|indeed|of course|definitely|it is|i do|i did)\b"),
    ("no", r"^(?:no|nope|nah|not|it isn't|it is not|i don't|i didn't)\b"),
    (
        "acknowledge",
        r"^(?:ok|okay|k|kk|ah|aha|oh|i see|got it|gotcha|cool|great|nice|good|perfect|alright|hmm+|right|"
        r"excellent|awesome|fine|well done|wow|yay|mhm|uh-huh)\b",
    ),
    ("thanks", r"\b(?:thanks|thank you|thx|ty|tnx|cheers)\b"),
    ("welcome", r"\b(?:you're welcome|your welcome|no problem|np|yw|any time|no worries|welcome)\b"),
    ("greeting", r"^(?:hi|hello|hey|hiya|yo|greetings|good (?:morning|evening|day|afternoon)|howdy|sup)\b"),
    ("farewell", r"\b(?:bye|good ?night|see you|cya|later all|gtg|brb|gotta go)\b"),
    ("sorry", r"\b(?:sorry|oops|my bad|apologies|whoops|mistake)\b"),
    ("laughs", r"\b(?:lol|haha+|heh+|hehe+|rofl|lmao)\b|[:;]-?[)dp](?:\W|$)"),
    ("commands", rf"^(?:(?:so|and|then|now|next|ok|okay|please|just|well)\W+)*(?:{_DO})\b"),
    ("advises", r"\byou (?:can|could|should|need|must|have to|might|may|want to)\b|\btry\b|\bif you\b"),
    ("goes_on", r"^(?:and|then|or|also|plus|so|but|because|cause|cuz|which|that|with|on top|to the)\b"),
    ("now", r"\b(?:now|next|then|after that|finally|lastly|first)\b"),
    ("first_person", r"\b(?:i|i'm|i've|i'll|i'd|my|me|im|ive)\b"),
    ("second_person", r"\b(?:you|your|you're|u|ur|you'll)\b"),
    ("third_thing", r"\b(?:it|that|this|they|them|those|these)\b"),
    ("negates", r"\b(?:not|no|never|none|nothing|\w+n't|cannot|cant|dont|doesnt|didnt|isnt|wont)\b|n't\b"),
    (
        "corrects",
        r"\b(?:wrong|instead|actually|rather|remove|undo|should be|too (?:far|high|low|many|much)|"
        r"not (?:that|there|quite|the)|other (?:way|side|direction)|meant|wait|almost|close)\b",
    ),
    ("done", r"\b(?:done|finished|complete|completed|works|worked|working|solved|fixed|that's it|thats it|all set)\b"),
    ("like_this", r"\b(?:like (?:this|that|so)|is (?:this|that) (?:right|good|correct|ok|it)|what's next|what next)\b"),
    ("praise", r"\b(?:perfect|great|good|nice|excellent|awesome|well done|job|beautiful|exactly|yay|amazing|lovely)\b"),
    ("thinks", r"\b(?:i think|i guess|maybe|probably|perhaps|i believe|afaik|iirc|might|seems)\b"),
    ("number", r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"),
    ("link", r"https?:|www\.|\.(?:com|org|net)\b"),
    ("code", r"[/_|`~$]|--|\b(?:sudo|apt|apt-get|grep|dpkg)\b"),
    ("bot_call", r"^\s*[!@]\w"),
    ("trails_off", r"(?:\.\.+|,|:|-)\s*$"),
    ("exclaims", r"!"),
    ("only_marks", r"^\W*$"),
    ("roll", r"^\W*(?:natural |nat )?\d{1,2}\b.{0,20}$|\b(?:i got|i rolled|that's) an? \d{1,2}\b|\bd20\b"),
)
LENGTHS: tuple[tuple[str, int, int], ...] = (  # words, from .. to
    ("one_word", 1, 1),
    ("few_words", 2, 4),
    ("some_words", 5, 9),
    ("many_words", 16, 10**9),
)
_PATTERNS = tuple(re.compile(pattern) for _, pattern in FORMS)
FORM_NAMES: tuple[str, ...] = (*(name for name, _ in FORMS), *(name for name, _, _ in LENGTHS))


def forms_of(texts: Sequence[str]) -> Bools:
    """Say of every text which forms it has: texts x FORM_NAMES.

    >>> has = forms_of(["What is it?", "Thanks, I will try"])
    >>> [[name for name, held in zip(FORM_NAMES, row) if held] for row in has]  # doctest: +NORMALIZE_WHITESPACE
    [['question', 'asks_wh', 'third_thing', 'few_words'],
     ['thanks', 'advises', 'first_person', 'few_words']]
    """
    found = np.zeros((len(texts), len(FORM_NAMES)), dtype=np.bool_)
    for row, text in enumerate(texts):
        folded = text.lower()
        for column, pattern in enumerate(_PATTERNS):
            if pattern.search(folded):
                found[row, column] = True
        size = len(folded.split())
        for column, (_, fewest, most) in enumerate(LENGTHS, start=len(FORMS)):
            found[row, column] = fewest <= size <= most
    return found
