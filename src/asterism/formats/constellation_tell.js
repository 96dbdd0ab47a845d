// What is told in words: the panel of a node or a link, its curve and its sum.
const make = (tag, told, ...inside) => {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(told || {}))
    if (key === "text") made.textContent = value;
    else if (key === "on") made.addEventListener("click", value);
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  made.append(...inside.filter(each => each !== null));
  return made;
};
const words = text => text.replace(/_/g, " ");
const day = ms => new Date(ms).toISOString().slice(0, 10);
const span = () => (sky.times.length ? sky.times[sky.times.length - 1] - sky.times[0] : 0);
const stamp = ms => (span() > 4 * 864e5 ? day(ms) : new Date(ms).toISOString().slice(0, 16).replace("T", " "));
const signed = value => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(6);
const short = value => value.toFixed(value < 0.01 ? 4 : 2);
const say = text => {
  $("said").textContent = text;
};
const quoted = text => (/^[\w@.~#:-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, "\\$&")}"`);
const facts = rows =>
  make(
    "dl",
    {},
    ...rows.filter(Boolean).flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]),
  );
const chip = (text, colour) => {
  const made = make("span", { className: colour ? "chip main" : "chip", text });
  if (colour) made.style.color = colour;
  return made;
};
const stateWord = thing => sky.state_words[stateAt(thing)];
const asOf = () => (atEnd() ? "" : ` on ${stamp(moment())}`);

function tellNode(node) {
  const number = { star: "brightness", block: "confidence", level: "strength" }[node.kind] || "strength";
  const level = strengthAt(node);
  $("about").replaceChildren(
    make(
      "div",
      { className: "chips" },
      chip(words(node.kind), colourOf(NODE_HUES, node.kind)),
      stateWord(node) ? chip(stateWord(node)) : null,
    ),
    make("h2", { className: "name", text: node.title }),
    ...(node.text && node.text !== node.title ? [make("p", { className: "text", text: node.text })] : []),
    facts([
      level !== null && [number + asOf(), short(level)],
      node.at !== null && ["since", stamp(node.at)],
      ["id", node.id],
      node.group >= 0 && ["group", groups[node.group].id],
    ]),
    ...(node.group >= 0
      ? [make("button", { type: "button", text: "Fold its group", on: () => fold([node.group], true) })]
      : []),
  );
  $("life").hidden = !life(node, number);
  $("sum").replaceChildren();
  const alive = node.links.filter(shown).sort((one, other) => strengthAt(other) - strengthAt(one) || one.i - other.i);
  const gone = node.links.length - alive.length,
    list = make("ul");
  const add = (from, to) => {
    for (const link of alive.slice(from, to)) {
      const other = link.a === node ? link.b : link.a,
        value = strengthAt(link),
        bar = make("i");
      bar.style.width = `${Math.min(100, value * 100)}%`;
      list.append(
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", on: () => choose(link) },
            make(
              "span",
              { className: "what", text: other.title },
              make("small", {
                text: [words(link.kind) + pointing(link, node), stateWord(link)].filter(Boolean).join(", "),
              }),
            ),
            make("span", { className: "bar" }, bar),
            make("span", { className: "number", text: short(value) }),
          ),
        ),
      );
    }
  };
  add(0, 60);
  const more =
    alive.length > 60
      ? make("button", {
          type: "button",
          text: `Show all ${alive.length}`,
          on: () => {
            add(60);
            more.remove();
          },
        })
      : null;
  $("ties").replaceChildren(
    make("h2", { text: alive.length ? `Links${asOf()}, strongest first: ${alive.length}` : `No link${asOf()}` }),
    list,
    ...(more ? [more] : []),
    ...(gone
      ? [make("p", { className: "quiet", text: `${gone} more not there at this time, or filtered away.` })]
      : []),
  );
}
const pointing = (link, node) => (!link.direction ? "" : link.direction > 0 === (link.a === node) ? " →" : " ←");

function tellLink(link) {
  const sign = link.direction > 0 ? "→" : link.direction < 0 ? "←" : "·";
  const end = node => make("button", { type: "button", text: node.title, on: () => choose(node) });
  $("about").replaceChildren(
    make(
      "div",
      { className: "chips" },
      chip(words(link.kind), colourOf(LINK_HUES, link.kind)),
      chip(link.family),
      stateWord(link) ? chip(stateWord(link)) : null,
    ),
    make("h2", { className: "name", text: `${squeezed(link.a.title, 60)} ${sign} ${squeezed(link.b.title, 60)}` }),
    make("div", { className: "chips" }, end(link.a), end(link.b)),
    facts([
      ["strength" + asOf(), strengthAt(link).toFixed(4)],
      link.family !== "structural" && ["confidence", short(link.confidence)],
      link.all && ["stands for", `${link.all.length} links; the strongest is shown`],
      link.evidence > 0 && ["evidence", `${link.evidence} ${link.evidence === 1 ? "item" : "items"}`],
      link.at !== null && ["since", stamp(link.at)],
    ]),
  );
  $("life").hidden = !life(link, "strength");
  $("ties").replaceChildren();
  const which = link.family === "structural" ? quoted(link.id) : `${quoted(link.a.id)} ${quoted(link.b.id)}`;
  const space = sky.space === "default" ? "" : ` --space ${quoted(sky.space)}`;
  const ask = make("code", { text: `asterism why ${which}${space}` });
  if (!link.why) {
    $("sum").replaceChildren(
      make(
        "p",
        { className: "quiet" },
        "The page holds the sums of the strongest links only. This one is told by ",
        ask,
      ),
    );
    return;
  }
  const cell = value => make("td", { className: `number ${value < 0 ? "minus" : "plus"}`, text: signed(value) });
  $("sum").replaceChildren(
    make("h2", {
      text: `Why it is ${link.why.total.toFixed(4)}${sky.times.length ? ` on ${stamp(sky.times[sky.now])}` : ""}`,
    }),
    make(
      "table",
      {},
      make("tbody", {}, ...link.why.lines.map(([text, value]) => make("tr", {}, make("td", { text }), cell(value)))),
      make(
        "tfoot",
        {},
        make(
          "tr",
          {},
          make("td", { text: `= ${link.why.number}` }),
          make("td", { className: "number", text: signed(link.why.total) }),
        ),
      ),
    ),
    ...link.why.notes.map(text => make("p", { className: "quiet", text })),
  );
}

function life(thing, number) {
  if (thing.strengths.length < 2) return false;
  const X = at => 2 + (at / (thing.strengths.length - 1)) * 316,
    Y = value => 112 - (value / 1000) * 104;
  const path = (from, to) =>
    thing.strengths
      .slice(from, to)
      .map((value, n) => `${n ? "L" : "M"}${X(from + n).toFixed(1)} ${Y(value).toFixed(1)}`)
      .join("");
  const put = (id, d) => $(id).setAttribute("d", d);
  put("axis", `M2 112H318M2 ${Y(500)}h4M2 ${Y(1000)}h4M${X(sky.now).toFixed(1)} 108v8`);
  put("past", path(0, sky.now + 1));
  put("ahead", path(sky.now));
  put("cursor", `M${X(clock).toFixed(1)} 4V112`);
  $("dot").setAttribute("cx", X(clock).toFixed(1));
  $("dot").setAttribute("cy", Y(mix(thing.strengths, clock)).toFixed(1));
  $("from").textContent = stamp(sky.times[0]);
  $("till").textContent =
    sky.now < sky.times.length - 1
      ? `if nothing happens, ${stamp(sky.times[sky.times.length - 1])}`
      : stamp(sky.times[sky.now]);
  $("curve").setAttribute(
    "aria-label",
    `${number} through time, from 0 to 1: ${short(thing.strengths[0] / 1000)} at first, ${short(thing.strengths[sky.now] / 1000)} at present`,
  );
  return true;
}

const tell = thing => {
  if (thing.members) tellGroup(thing);
  else if (thing.a) tellLink(thing.all && thing.all.length > 1 ? thing : thing.all ? thing.all[0] : thing);
  else tellNode(thing);
};
let before = null;
function choose(thing, { go = false, quiet = false } = {}) {
  chosen = thing;
  $("panel").hidden = !thing;
  document.body.classList.toggle("told", Boolean(thing));
  if (!thing) {
    if (before) before.focus();
    before = null;
    draw();
    return;
  }
  if (!$("panel").contains(document.activeElement))
    before = document.activeElement === document.body ? canvas : document.activeElement;
  tell(thing);
  $("panel").scrollTop = 0;
  $("lists").hidden = true;
  if (!quiet) $("panel").focus({ preventScroll: true });
  say(
    thing.a
      ? `Link: ${thing.a.title} and ${thing.b.title}, ${words(thing.kind)}, strength ${short(strengthAt(thing))}`
      : `${words(thing.kind)}: ${thing.title}, ${ties(thing).length} links`,
  );
  if (go) visit(thing);
  else keepInSight(thing);
  draw();
}
const retell = () => {
  if (chosen) tell(chosen);
};
