"""The score of two blocks, and how blocks and structural links fade: plain functions of plain values."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Sequence

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.ledger.rounding import rounded


def block_id(content: str) -> str:
    """Name a block by its content: the first 16 hex digits of SHA-256 of the stripped, lower-cased text.

    >>> block_id("Tea at four") == block_id("  tea at FOUR ")
    True
    >>> block_id("Tea at four")
    '7eb39c9b70ec4909'
    """
    return hashlib.sha256(content.strip().lower().encode(errors="surrogatepass")).hexdigest()[:16]


# --- the composite (003 §2, 04 Composite score) -------------------------------------------------------------------


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the cosine of two vectors, in float64; 0 if one is zero.

    a . b / sqrt(a . a  x  b . b)

    >>> cosine([3.0, 4.0], [4.0, 3.0]), cosine([0.0, 0.0], [1.0, 0.0])
    (0.96, 0.0)
    """
    lengths = math.sqrt(dot(a, a) * dot(b, b))
    return dot(a, b) / lengths if lengths else 0.0


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Sum the products by halves, the second half onto the first until one number is left.

    An order of its own, because that of `sum` depends on Python's version, and that of BLAS on the machine.

    >>> dot([1.0, 2.0, 3.0], [3.0, 4.0, 5.0])
    26.0
    """
    products = [x * y for x, y in zip(a, b, strict=True)]
    while len(products) > 1:
        half = (len(products) + 1) // 2
        for place, product in enumerate(products[half:]):
            products[place] += product
        del products[half:]
    return products[0] if products else 0.0


def jaccard(tags_a: Collection[object], tags_b: Collection[object]) -> float:
    """Say how far two sets of tags are one: |A and B| / |A or B|; two empty sets have nothing in common.

    >>> round(jaccard({"async", "python"}, {"async", "database"}), 4), jaccard((), ())
    (0.3333, 0.0)
    """
    a, b = set(tags_a), set(tags_b)
    return len(a & b) / len(a | b) if a or b else 0.0


def temporal_proximity(hours_a: float, hours_b: float, *, sigma: float) -> float:
    """Say how near in active hours two blocks were last reinforced: exp(-dh^2 / (2 sigma^2)).

    >>> round(temporal_proximity(0, 24, sigma=8), 4)
    0.0111
    """
    apart = hours_a - hours_b
    return math.exp(-(apart * apart) / (2.0 * sigma * sigma))


def category_match(category_a: str, category_b: str, *, cross_category_score: float) -> float:
    """Give 1 for one category, less for two; "" is a category like any other.

    >>> category_match("fact", "fact", cross_category_score=0.3), category_match("fact", "", cross_category_score=0.3)
    (1.0, 0.3)
    """
    return 1.0 if category_a == category_b else cross_category_score


def composite(*, cosine: float, tags: float, category: float, time: float, parameters: BlockParameters) -> float:
    """Score two blocks from four signals in [0, 1]; 0 outright when the cosine is below the guard.

    .55 cosine + .20 tags + .15 category + .10 time

    >>> composite(cosine=0.78, tags=1, category=1, time=1, parameters=BlockParameters())
    0.879
    >>> composite(cosine=0.28, tags=1, category=1, time=1, parameters=BlockParameters())
    0.0
    """
    near = rounded(min(max(cosine, 0.0), 1.0))
    if near < parameters.minimum_cosine_for_edge:
        return 0.0
    return rounded(
        parameters.weight_cosine * near
        + parameters.weight_tags * tags
        + parameters.weight_category * category
        + parameters.weight_time * time
    )


# --- fading (04 Blocks, 00 Words) ---------------------------------------------------------------------------------

TIERS = ("permanent", "durable", "standard", "ephemeral")
TIER_OF_TAG = {"self/constitutional": 0, "self/value": 1, "self/constraint": 1, "self/goal": 1}
TIER_OF_CATEGORY = {"mind": 1, "observation": 3}


def decay_tier(tags: Collection[str], category: str) -> str:
    """Choose the decay tier: the slowest that a tag names, else the one the category names, else standard.

    >>> decay_tier(["durable", "health"], "observation"), decay_tier([], "observation"), decay_tier([], "fact")
    ('durable', 'ephemeral', 'standard')
    """
    named = {name: tier for tier, name in enumerate(TIERS)}
    by_tag = [tier for tag in tags if (tier := (named | TIER_OF_TAG).get(tag.lower())) is not None]
    tier = min(by_tag) if by_tag else (named | TIER_OF_CATEGORY).get(category.lower(), named["standard"])
    return TIERS[tier]


def recency(hours: float, *, decay_rate: float) -> float:
    """Say how much of a block's freshness is left after so many active hours: exp(-lambda h).

    >>> round(recency(100, decay_rate=0.01), 4)
    0.3679
    """
    return math.exp(-decay_rate * hours)


def structural_strength(anchor: float, hours: float, *, decay_rate_a: float, decay_rate_b: float) -> float:
    """Fade a structural link with the slower of its ends: anchor x exp(-min(lambda_a, lambda_b) x h).

    >>> round(structural_strength(0.8, 100, decay_rate_a=0.01, decay_rate_b=0.001), 4)
    0.7239
    """
    return anchor * recency(hours, decay_rate=min(decay_rate_a, decay_rate_b))
