"""The words by which a text is read as claims: which relations have one value at a time, and what excludes what.

Small tables, written by hand for English. What they do not know is no claim: nothing is marked by a guess.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Not told as a fact of now: a text with one of these says nothing that could conflict

HEDGES = _words(
    """if whether unless might maybe perhaps would could possibly probably supposedly allegedly wants want wanted wish
    wishes wished hope hopes hoped hoping plan plans planned planning intend intends considered considering consider
    thought thinks think believes believed guess guesses rumour rumor rumours claimed claims wrote asked asks wondered
    according dream dreamt dreamed imagine imagines pretended should shall someday wonder suggested suggests proposed"""
)
FORMER = _words("formerly previously once ago earlier originally used-to until till back former ex")
BEGINNINGS = ("as a child", "as a kid", "in my youth", "when i was", "in the past", "back in", "at first", "years ago")
LABELS = _words("note notes news update reminder fyi todo memo info remark correction status-update ps")

# How a subject is put

ARTICLES = _words("the a an this that")
SELF = {"i": "i", "user": "i", "me": "i", "my": "my", "our": "our", "we": "we"}
PRONOUNS = _words("he she it they you this that these those there his her their its who which someone somebody people")
ADVERBS = _words(
    """now nowadays currently still also always usually finally just already really recently these days today
    often generally mostly mainly actually permanently officially again instead anymore longer everywhere"""
)
CHANGED = _words("now nowadays currently instead anymore meanwhile")

# Verbs in the present by which a text is cut into a subject and what is said of it

COPULAS = _words("is are am was were has-been have-been became becomes been got isn't aren't wasn't weren't")
PRESENT = _words(
    """has have hasn't haven't does do doesn't don't can cannot can't lives live resides reside works work uses use
    prefers prefer likes like loves love hates hate enjoys enjoy dislikes dislike adores adore detests detest costs cost
    requires require needs listens listen runs run opens open closes starts start begins ends expires expire lasts
    takes take weighs wears drives drive rides drinks drink eats eat plays play speaks studies study sings smokes
    belongs belong reports sits sit sleeps sleep stands goes go comes come commutes commute earns charges supports
    support accepts accept allows allow contains holds measures owns own manages leads lead maintains keeps keep
    stays stay arrives depends depart leaves subscribes subscribe attends attend teaches rents rent travels supersedes
    points defaults writes trains"""
)
CHANGES = _words(
    """moved relocated joined switched changed migrated left quit stopped cancelled canceled dropped gave retired
    resigned started born died married divorced split betrayed broke ended sold settled graduated"""
)
HELPERS = _words("has have had is are am was were be been does do did can could will just")
PREPOSITIONS = _words(
    "in at on to for from with by of near under over above behind beside into as about after before since until via"
)

# Verbs that say of a subject one thing at a time: by the verb and the word behind it

HOME, WORK = "home", "work"
FAMILIES: Mapping[str, str] = {
    frame.replace("-", " "): family
    for family, frames in {
        HOME: """live-in lives-in living-in live-at lives-at reside-in resides-in residing-in based-in settled-in
        stay-in stays-in moved-to moved-into relocated-to""",
        WORK: """work-at work-for works-at works-for working-at working-for employed-at employed-by joined started-at
        started-working-at hired-by""",
        "born": "born-in born-on",
        "origin": "come-from comes-from",
    }.items()
    for frame in frames.split()
}
ONE_PLACE = _words(
    """listen-on listens-on run-on runs-on stored-in kept-in keep-in hosted-on hosted-in deployed-to deployed-on set-to
    set-for limited-to opens-at open-at closes-at starts-at start-at ends-at expires-after expires-in expires-on
    reports-to report-to written-in points-to defaults-to parked-in sits-near sits-at sits-in sit-near
    sleeps-in called named located-in located-at scheduled-for booked-for due-on due-in priced-at collected-on
    delivered-on held-in held-on answered-by saved-in capped-at fixed-at"""
)
MANY_BY = _words("used visited liked loved shared read seen attended watched played followed tested supported known")
INTO = _words("changed switched moved migrated renamed raised lowered extended postponed rescheduled reassigned set")
ONE_AT_A_TIME = _words("drive drives ride rides use uses rent rents run runs earn earns commute commutes")
BY_WAY = _words("car train bus bike bicycle foot tram plane metro subway ferry taxi boat scooter")
PLACES = _words("in at on under behind beside near with above inside")

# Nouns that name an attribute with one value at a time, and nouns one has many of

ATTRIBUTES = _words(
    """address email phone number birthday birthdate name surname nickname password username colour color language
    currency timezone deadline date price cost rate rent salary budget fee rank title status state version port owner
    manager boss leader lead capital king queen president ceo director chair treasurer head coach teacher captain
    maintainer branch timeout size height weight age type dosage dose contact limit level mode theme format unit units
    plan tier channel hq headquarters seat room bank landlord doctor dentist
    deposit duration length width speed frequency schedule quota threshold temperature host url domain endpoint
    region licence license destination venue location model provider supplier"""
)
CHOSEN = _words("favourite favorite preferred default primary current official usual maximum minimum max min main")
MANY = _words(
    """brother sister sibling friend cousin child son daughter kid neighbour neighbor colleague pet cat dog hobby
    allergy uncle aunt student member guest client customer employee hero book film song trip meeting event
    appointment visit goal reason example idea ingredient sister-in-law nephew niece teammate grandson granddaughter
    player author topic problem question"""
)

# States that exclude each other

EXCLUSIVE: Mapping[str, tuple[str, ...]] = {  # words of one group say the same
    "open": ("open", "closed locked shut"),
    "progress": (
        "open pending blocked",
        "draft",
        "closed resolved done finished merged",
        "shipped delivered",
        "approved accepted",
        "rejected declined",
        "cancelled canceled",
    ),
    "life": ("alive", "dead deceased"),
    "power": ("on running", "off stopped"),
    "ability": ("enabled", "disabled"),
    "together": ("single", "married", "divorced separated split", "engaged", "widowed"),
    "colour": ("red", "blue", "green", "black", "white", "yellow", "orange", "purple", "brown", "grey gray", "pink"),
    "fill": ("full", "empty"),
    "duty": ("mandatory required compulsory", "optional voluntary"),
    "reach": ("public", "private secret internal"),
    "health": ("broken faulty", "working fixed"),
    "diet": ("vegetarian vegan", "carnivore"),
    "sync": ("synchronous", "asynchronous"),
    "hand": ("left-handed", "right-handed"),
    "heat": ("hot", "cold frozen"),
    "employment": ("employed", "unemployed", "retired"),
}
GROUPS: Mapping[str, Mapping[str, str]] = {  # by word: in each set of states, the group it is in
    word: {name: group.split()[0] for name, groups in EXCLUSIVE.items() for group in groups if word in group.split()}
    for groups in EXCLUSIVE.values()
    for group in groups
    for word in group.split()
}
PHRASES: Mapping[str, tuple[str, str]] = {  # what is said with a verb, as a state
    "eat meat": ("diet", "carnivore"),
    "eats meat": ("diet", "carnivore"),
    "split up": ("together", "divorced"),
    "broke up": ("together", "divorced"),
}
OPPOSABLE = _words(
    """available able employed resolved paid known published verified valid visible complete connected allowed
    supported stable safe secure healthy happy restricted limited encrypted signed assigned reachable supervised
    furnished insured licensed armed"""
)
LIKING: Mapping[str, bool] = {
    **dict.fromkeys(["like", "likes", "love", "loves", "enjoy", "enjoys", "adore", "adores"], True),
    **dict.fromkeys(["hate", "hates", "dislike", "dislikes", "detest", "detests", "loathe", "loathes"], False),
}
ENDING = _words("quit stopped stop cancelled canceled dropped ended retired resigned abandoned sold unsubscribed")
LEAVING = _words("left leaves quit resigned")
BELONGING = _words(
    "works work belongs belong member studies study sings plays play attends attend is employed teaches lives live"
)
NEGATIONS = _words("not no never cannot without nobody nothing none neither nor")
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
PARTS_OF_TIME = _words("morning evening night afternoon summer winter spring autumn weekend week office meetings")
MONTHS = _words("january february march april may june july august september october november december")
NUMBER_WORDS = _words(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred thousand million first second third fourth fifth noon midnight
    twice daily weekly monthly yearly hourly"""
)
