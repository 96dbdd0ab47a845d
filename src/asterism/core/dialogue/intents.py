"""What a line of an initiator intends: English rules, in the order in which they are tried (05, Intents).

Questions go first, so that "can I .." and everything with a question mark asks; then requests, declarations and
proposals. `ENGLISH` is the book of the preset `seed`; `TABLETOP` adds what play showed: a reaction ("Really?") asks
nothing, and the report of a roll ("That's a 19.") is something to answer.
"""

from __future__ import annotations

from typing import NamedTuple

from asterism.core.dialogue.lines import LineKind
from asterism.core.dialogue.rules import Rule, Rules, words
from asterism.core.dialogue.words import INTENT_TYPES, Strength

SKILLS = (
    "acrobatics|animal handling|arcana|athletics|deception|history|initiative|insight|intimidation|investigation|"
    "medicine|nature|perception|performance|persuasion|religion|sleight of hand|stealth|survival|strength|dexterity|"
    "constitution|intelligence|wisdom|charisma|concentration|luck|spellcraft|spot|listen|dex|con|wis"
)
VERBS = (
    "add aim approach ask attack attempt back bar beat begin bind bite blast bless block blow bow break bring "
    "burn buy call carry cast catch charge chase check choose clean climb close collect come continue cook "
    "counter cover crack crawl creep cross crouch crush curse cut dance dash deploy dig dip disarm disengage "
    "dispel dive dodge drag draw drink drive drop duck eat empty enter examine feed fight fill find fire flee "
    "flip fly follow force gather get give go grab grapple greet guard guide hand hang head heal help hide hit "
    "hold hop hug hurl inspect invoke join jump keep kick kill kiss kneel knock lash launch lay lead lean leap "
    "leave lick lift light limp listen loosen loot lower make move nod offer open order pack pay peek peer pet "
    "pick place play point poke pour pray present press prop pull punch push put rage raise reach read release "
    "reload remove rest retreat return ride rip roll rub run rush scan search send set shake shift shoot shout "
    "shove show signal sing sit slam slap slash sleep slide slip smack smash smell smite sneak speak spend spin "
    "spit split sprint stab stand start stay steal step stop strike study swap swim swing switch tackle take tap "
    "taste teleport test throw tie toss touch track transform trigger trip try tuck turn twist unleash unlock "
    "unsheathe use wait wake walk wave whip whisper wipe wrap yank yell"
)
DOING = (
    "aiming approaching asking attacking bringing buying calling carrying casting catching charging checking "
    "climbing coming creeping crouching digging doing drawing dropping eating entering examining feeding firing "
    "fleeing flying following getting giving going grabbing handing heading healing helping hiding hitting "
    "holding inspecting jumping keeping kicking leading leaving listening looking lowering making moving opening "
    "packing paying peeking picking placing playing pointing pouring praying preparing pulling punching pushing "
    "putting raging raising reaching reading rolling running rushing searching sending setting shaking shooting "
    "shouting showing sitting slapping slipping sneaking spending spinning standing starting staying stealing "
    "stepping swimming swinging taking throwing touching tracking trying turning using waiting walking watching "
    "whispering yelling"
)
ADVERBS = (
    "(?:(?:just|then|also|actually|really|quickly|quietly|slowly|carefully|now|still|kind of|sort of|immediately|"
    "basically|gently|totally|definitely|probably|all|both|only|do|simply|silently|softly|either|even) )*"
)
NOT_AFTER = (  # "what I want", "once we go": part of a larger thought
    "if when what where how why that did than as who say think hope suppose until unless once since because before "
    "after about can't don't know"
)
OWN = r"\b(?=i\b|we\b)" + "".join(f"(?<!{word} )" for word in NOT_AFTER.split())
I_WE = words("i we")
VERB = "|".join(VERBS.split())
WILL_NOT = (  # "I'm going to say", "we'll be fine": talk, not deeds
    "(?! (?:say|admit|bet|tell you|never|not|see you|know|need|have to|want|regret|die|miss|"
    "be (?:honest|right|fine|ok|okay|good|dead|back|sad|mad|sick|like|so)))"
)

QUESTIONS = (
    Rule("may_i", "question", r"\b(?:can|could|may|might) (?:i|we)\b", words("can could may might"), I_WE),
    Rule("do_i", "question", r"\b(?:do|does|did|would|should) (?:i|we)\b", words("do does did would should"), I_WE),
    Rule("is_there", "question", r"\b(?:is|are) there\b", words("there"), words("is are")),
    Rule("what_if", "question", r"\bwhat if\b", words("what"), words("if")),
    Rule("question_mark", "question", r"\?", words("?")),
)
REQUESTS = (
    Rule("can_you", "request", r"\b(?:can|could|would|will) you\b", words("you"), words("can could would will")),
    Rule("please", "request", r"\bplease\b", words("please")),
    Rule(
        "i_want",
        "request",
        rf"{OWN}(?:(?:i|we) {ADVERBS}(?:want|wanna|need to)|(?:i|we)(?:'d| would) {ADVERBS}(?:like|love|want))\b",
        words("want wanna need like love"),
        I_WE,
    ),
    Rule(
        "skill_call",
        "request",
        rf"\b(?:{SKILLS})(?: (?:saving|ability|skill))? (?:check|checks|roll|save|throw)\b|^\W*(?:{SKILLS})\W*$",
        words(" ".join(skill.split()[0] for skill in SKILLS.split("|"))),
    ),
)
DECLARATIONS = (
    Rule("i_will", "declare", rf"\b(?:i|we)(?:'ll| will| shall)\b{WILL_NOT}", words("ll will shall"), I_WE),
    Rule(
        "i_am_going_to",
        "declare",
        rf"(?:\b(?:i'm|i am|we're|we are) {ADVERBS}(?:going to|gonna|about to|trying to)|\bi'?m(?:ma|a))\b{WILL_NOT}",
        words("going gonna about trying ima imma ma mma"),
        words("i we ima imma"),
    ),
    Rule(
        "i_am_doing",
        "declare",
        rf"{OWN}(?:i'm|i am|we're|we are) {ADVERBS}(?:{'|'.join(DOING.split())})\b",
        words(DOING),
        I_WE,
    ),
    Rule("i_do", "declare", rf"{OWN}(?:i|we) {ADVERBS}(?:look|{VERB})\b(?! like\b)", words(f"look {VERBS}"), I_WE),
    Rule(
        "let_me",
        "declare",
        r"(?<!n't )(?<!to )\b(?:let me|lemme)\b(?! (?:know|tell you|be|explain|finish))",
        words("let lemme"),
    ),
    Rule(
        "third_person",
        "declare",
        r"\b(?:[A-Z][\w'-]{1,30}|[Hh]e|[Ss]he|[Tt]hey) (?:just |then |also )?(?:wants? to|tries to|"
        r"is (?:going to|gonna)|attempts to|would like to|decides to|will try to|"
        r"(?:goes|reaches|walks|runs|heads|sneaks|leans) \w|"
        r"(?:casts|attacks|grabs|draws|opens|throws|pulls|takes|follows) (?:an?|the|his|her|their|out|off|up)\b)",
        words(
            "want wants tries going gonna attempts like decides try goes reaches walks runs heads sneaks leans casts "
            "attacks grabs draws opens throws pulls takes follows"
        ),
        cased=True,
    ),
)
PROPOSALS = (
    Rule("lets", "propose", r"\b(?:let's|lets|let us)\b(?! (?:say|see|be honest))", words("let lets")),
    Rule(
        "we_should",
        "propose",
        r"\bwe(?:'d)? (?:\w+ )?(?:should|could|might|ought|gotta|must|have to|better|got to)\b(?!'ve| have)",
        words("should could might ought gotta must have better got"),
        words("we"),
    ),
    Rule(
        "how_about",
        "propose",
        r"\b(?:how|what) about\b|\bwhy don't (?:i|we|you)\b|\b(?:shall|maybe|suggest|i say|vote) we\b",
        words("about why shall maybe suggest say vote"),
    ),
)
REACTION = Rule(
    "reaction",
    "none",
    r"^\W*(?:(?:oh|wait|really|yeah|yes|no|what|huh|right|okay|ok|sorry|who|seriously|me|excuse me|is it|are you|"
    r"did you|do you|does it|you sure|for real|my god|come on|hm+)\b\W*)+$",
)
SMALL = (
    "okay|ok|so|that's|that is|it's|that one's|i got|i rolled|rolled|an?|natural|nat|just|only|well|oh|yes|yeah|and|"
    "ooh|dirty|total|plus|minus|is|equals|for|with|my|the|of|no|points?|damage|to hit|on|cold|fire|psychic|necrotic|"
    "radiant|slashing|piercing|bludgeoning|poison|thunder|lightning"
)
ROLL_REPORT = Rule(
    "roll_report",
    "declare",
    rf"^(?:\W*(?:{SMALL})\b)*\W*\d{{1,3}}\b(?:\W*(?:{SMALL}|\d{{1,3}})\b)*\W*$|\b(?:natural|nat) (?:20|twenty|1|one)\b",
)

ENGLISH = Rules((*QUESTIONS, *REQUESTS, *DECLARATIONS, *PROPOSALS), types=INTENT_TYPES)
TABLETOP = Rules((REACTION, *ENGLISH.rules, ROLL_REPORT), types=INTENT_TYPES)
ACTION_LINE = Rule("action_line", "declare", "")  # what a reader marked as an action needs no pattern


class Intent(NamedTuple):
    """What a line intends, and which rule says so."""

    line_index: int
    actor: str
    type: str
    strength: Strength
    rule: str


def by_kind(rule: Rule | None, kind: LineKind | None) -> Rule | None:
    """Give the rule by which a line of a kind is an intent: a system line never is, an action always.

    >>> [each.name if each else None for each in (by_kind(None, "action"), by_kind(ENGLISH.rules[0], "system"))]
    ['action_line', None]
    """
    return None if kind == "system" else rule or (ACTION_LINE if kind == "action" else None)


def detect_intent(content: str, kind: LineKind | None = None, rules: Rules = ENGLISH) -> Rule | None:
    """Give the rule by which a line is an intent, or None.

    >>> detect_intent("I'm gonna pick the lock.").name
    'i_am_going_to'
    """
    return by_kind(rules.first(content), kind)
