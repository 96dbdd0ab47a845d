"""What a line of a responder is once it is claimed: English rules, in the order in which they are tried (05, D4)."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.dialogue.intents import SKILLS
from asterism.core.dialogue.lines import Line, LineKind
from asterism.core.dialogue.rules import Rule, Rules, words
from asterism.core.dialogue.words import CONSEQUENCE_TYPES


def _either(listed: str) -> str:
    return "|".join(listed.split())


STATEMENT = Rule("statement", "dm_statement", "")  # claimed, and no pattern fits
ROLL_LINE = Rule("roll_line", "roll", "")  # what a reader marked as a roll
THINGS = r"(?:it|that|this|he|she|they|the [\w'-]{1,30}(?: [\w'-]{1,30})?)"
DONE = (
    "manage succeed fail find take hit miss fall land lose gain get kill able unable slip open reach arrive pull "
    "push grab begin start go walk head step enter climb emerge heal catch drop throw leave return come break "
    "pick put cast move"
)
DOES = (
    "open opens close closes break breaks fall falls work works fail fails dies drop drops swing swings shatter "
    "shatters explode explodes burn burns take takes turn turns step steps move moves reaches grab grabs pull "
    "pulls run runs walk walks goes come comes vanish vanishes disappear disappears collapse collapses hands "
    "gives pushes rushes nod nods shake shakes"
)
SENSED = (
    "see hear notice know remember recall recognize feel smell sense tell understand realize glance look watch believe "
    "seen heard think"
)
SEEMS = "is are was were has have look looks seem seems appear appears sound sounds say says does doesn't"
WHERE = "here there in on at behind under above near not a an the"
SHORT = "there's|there is|there are|there was|there were|it's|they're|he's|she's|that's"

CONSEQUENCES = Rules(
    (
        Rule(
            "asks_for_a_roll",
            "roll",
            rf"\b(?:roll|make|give me|need)\b.{{0,80}}\b(?:{SKILLS}|checks?|save|saving throw|throw|roll|attack)\b"
            r"|\broll (?:for|it|that|again|damage|with|an?|your|the)\b|\bgo ahead and roll\b|\bsaving throw\b",
            words("roll make give need saving"),
        ),
        Rule("names_a_skill", "roll", rf"^\W*(?:an? )?(?:{SKILLS})(?: check| save| roll)?(?:,? please)?\W*$"),
        Rule("names_dice", "roll", r"d(?:4|6|8|10|12|20|100)\b(?<![a-z]d.)(?<![a-z]d..)(?<![a-z]d...)"),
        Rule(
            "judges_a_roll",
            "roll",
            r"\bwhat(?:'d| did) you (?:roll|get)\b|\b(?:hits|misses)\b|\bthat (?:does|will) (?:not )?hit\b",
            words("what hits misses hit"),
        ),
        Rule(
            "commits",
            "commitment",
            r"\b(?:i|we)(?:'ll| will) (?:allow|let|give|say|come back|get (?:back )?to|have|do|take|make|go|keep)\b"
            r"|\byou (?:can|may)\b(?! (?:see|hear|tell|feel|smell|sense|make out))|\bgo (?:for it|ahead)\b"
            r"|\b(?:i|we) (?:promise|agree|accept)\b|\b(?:he|she|they) (?:agrees?|promises?|accepts?)\b",
            words("ll will can may go promise promises agree agrees accept accepts"),
        ),
        Rule(
            "you_do",
            "deterministic",
            rf"you\b(?<!\wyou)(?:'re| are| do| don't| all| both| guys| just| then)* "
            rf"(?:{_either(DONE)}|make (?:your way|it))\b",
            words(f"{DONE} make"),
            words("you"),
        ),
        Rule("it_does", "deterministic", rf"\b{THINGS} (?:{_either(DOES)})\b", words(DOES)),
        Rule("damage", "deterministic", r"\b(?:points? of|damage)\b", words("point points damage")),
        Rule(
            "you_see",
            "information",
            rf"you\b(?<!\wyou)(?:'ve| have| do| don't| can| all| both| just| also)* (?:{_either(SENSED)}|make out)\b",
            words(f"{SENSED} make"),
            words("you"),
        ),
        Rule(
            "it_is",
            "information",
            rf"\b(?:{SHORT}|{THINGS} (?:{_either(SEEMS)}))\b|\w (?:is|are) (?:{_either(WHERE)})\b",
            words(f"s re {SEEMS} doesn"),
        ),
        Rule("answers", "information", r"^\W*(?:yes|yeah|yep|yup|sure|no|nope|nah|correct|right|okay|ok|not)\b"),
    ),
    types=CONSEQUENCE_TYPES[:-1],
)


def consequence_of(content: str, kind: LineKind | None = None, rules: Rules = CONSEQUENCES) -> Rule:
    """Give the rule that says what came of an intent.

    >>> [consequence_of(text).type for text in ("Make a stealth check.", "You find a key.", "Hm, interesting.")]
    ['roll', 'deterministic', 'dm_statement']
    """
    return ROLL_LINE if kind == "roll" else rules.first(content) or STATEMENT


def consequence_types(lines: Sequence[Line], rules: Rules = CONSEQUENCES) -> dict[int, str]:
    """Give the type of each claimed line, by its number."""
    fired = rules.first_of_each([line.content for line in lines])
    return {
        line.line_index: "roll" if line.kind == "roll" else (rule or STATEMENT).type
        for line, rule in zip(lines, fired, strict=True)
    }
