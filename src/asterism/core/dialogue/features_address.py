"""Who names whom: the family that tells interleaved conversations apart."""

from __future__ import annotations

import numpy as np

from asterism.core.dialogue.features import Sheet, Window, nearest
from asterism.core.dialogue.features_lines import NOBODY, Talk
from asterism.core.dialogue.features_pairs import Facts


def address(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """Who names whom, both ways, and who spoke with whom before."""
    x, y, same, other = window.x, window.y, window.same, window.other
    sx, sy = talk.speaker[x], talk.speaker[y][:, None]
    y_named, x_named = talk.named[y], talk.named[x]
    y_names_x = other & (y_named[:, None, :] == sx[:, :, None]).any(axis=2)
    x_names_y = other & (x_named == sy[:, :, None]).any(axis=2)
    y_leads_x = other & (talk.lead[y][:, None] == sx)
    y_any = (y_named[:, 0] != NOBODY)[:, None]
    x_any = window.real & (x_named[:, :, 0] != NOBODY)
    last_of = talk.next_own[x] >= y[:, None]
    last_turn = talk.next_own[facts.turn_end[x]] >= y[:, None]
    y_elsewhere = other & y_any & ~y_names_x
    x_elsewhere = other & x_any & ~x_names_y
    alike = window.real & y_any & x_any & (y_named[:, None, 0] == x_named[:, :, 0])
    partner = talk.named[y][:, :1]
    partner = np.where(partner == NOBODY, facts.partner[y][:, None], partner)
    with_partner = other & (sx == facts.partner[y][:, None])
    x_partner = other & (facts.partner[x] == sy) & ~x_any
    put = sheet.put
    put("address.y_names_x", y_names_x)
    put("address.y_leads_x", y_leads_x)
    put("address.y_names_x.last", y_names_x & last_of)
    put("address.y_names_x.last_turn", y_names_x & last_turn)
    put("address.y_names_x.nearest", nearest(y_names_x))
    put("address.y_names_x.far", y_names_x & (window.d > 12))
    put("address.y_names_x.log", y_names_x * np.log(window.d))
    put("address.y_names_x.x_names_y", y_names_x & x_names_y)
    put("address.y_names_x.nearest_x_names_y", nearest(y_names_x & x_names_y))
    put("address.y_names_x.x_elsewhere", y_names_x & x_elsewhere)
    put("address.y_names_x.x_free", y_names_x & ~x_any)
    for form in (
        "question",
        "plain",
        "thanks",
        "acknowledge",
        "greeting",
        "asks_help",
        "few_words",
        "one_word",
        "many_words",
    ):
        put(f"address.y_names_x.x_{form}", y_names_x & facts.flags[form][x])
    for form in ("question", "thanks", "acknowledge", "yes", "no", "advises"):
        put(f"address.y_names_x.y_{form}", y_names_x & facts.flags[form][y][:, None])
    put("address.x_names_y", x_names_y)
    put("address.x_names_y.nearest", nearest(x_names_y))
    put("address.x_names_y.y_free", x_names_y & ~y_any)
    put("address.x_names_y.nearest_y_free", nearest(x_names_y & ~y_any))
    put("address.x_names_y.y_free.log", (x_names_y & ~y_any) * np.log(window.d))
    put("address.x_names_y.since_own", x_names_y & (x > talk.previous_own[y][:, None]))
    put("address.x_names_y.x_question", x_names_y & facts.flags["question"][x])
    put("address.x_names_y.y_elsewhere", x_names_y & y_elsewhere)
    put("address.y_elsewhere", y_elsewhere)
    put("address.x_elsewhere", x_elsewhere)
    put("address.x_elsewhere.y_free", x_elsewhere & ~y_any)
    put("address.neither", other & ~y_any & ~x_any)
    put("address.neither.d1", other & ~y_any & ~x_any & (window.d == 1))
    put("address.neither.nearest", nearest(other & ~y_any & ~x_any))
    put("address.x_free.nearest", nearest(other & ~x_any))
    put("address.same_addressee.same", alike & same)
    put("address.same_addressee.same.last", nearest(alike & same))
    put("address.same_addressee.other", alike & other)
    put("address.own.y_names", same & y_any)
    put("address.own.y_names_new", same & y_any & ~alike)
    put("address.own.x_names", same & x_any & ~y_any)
    put("address.own.x_names.last", nearest(same & x_any & ~y_any))
    put("address.own.free", same & ~x_any & ~y_any)
    put("address.partner", with_partner)
    put("address.partner.last", with_partner & last_of)
    put("address.partner.y_free", with_partner & ~y_any)
    put("address.partner.y_free.last", with_partner & ~y_any & last_of)
    put("address.partner.x_free", with_partner & ~x_any)
    put("address.x_partner", x_partner)
    put("address.x_partner.last", x_partner & last_of)
    put("address.x_partner.y_free", x_partner & ~y_any)
    put("address.not_partner", other & (facts.partner[y][:, None] != NOBODY) & ~with_partner & ~y_any)
    named_since = np.cumsum(x_names_y, axis=1) - x_names_y
    put("address.named_by_nearer", window.real & (named_since > 0))
    put("address.named_by_nearer.y_free", window.real & (named_since > 0) & ~y_any)
    put("address.own.named_since", same & (named_since > 0))
    sheet.none("none.y_names", y_any[:, 0])
    sheet.none("none.y_names_unseen", y_any[:, 0] & ~y_names_x.any(axis=1))
    sheet.none("none.named", x_names_y.any(axis=1))
    sheet.none("none.named_since_own", (x_names_y & (x > talk.previous_own[y][:, None])).any(axis=1))
    sheet.none("none.has_partner", facts.partner[y] != NOBODY)
