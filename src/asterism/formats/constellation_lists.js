// Beside the drawing: everything as lists, the legend, and what is counted.
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TH: "columnheader", TD: "cell" }; // kept where rows are a grid
function table(place, head, rows, row) {
  let put = 0;
  const body = make("tbody");
  const more = make("button", { type: "button", on: () => add(500) });
  const add = count => {
    body.append(...rows.slice(put, put + count).map(row));
    put = Math.min(rows.length, put + count);
    more.textContent = `Show more (${rows.length - put} left)`;
    more.hidden = put >= rows.length;
    for (const part of place.querySelectorAll("table, table *")) if (ROLES[part.tagName]) part.role = ROLES[part.tagName];
  };
  const titles = make("tr", {}, ...head.map(text => make("th", { text, scope: "col" })));
  place.replaceChildren(make("table", {}, make("thead", {}, titles), body), more);
  add(200);
}
function openLists() {
  const go = thing =>
    make("button", {
      type: "button",
      text: thing.a ? `${squeezed(thing.a.title, 50)} – ${squeezed(thing.b.title, 50)}` : squeezed(thing.title, 90),
      on: () => choose(thing, { go: true }),
    });
  const number = value => make("td", { className: "number", text: value === null ? "" : short(value) });
  table($("nodelist"), ["name", "kind", "state", "number", "links"], byWeight.filter(seen), node =>
    make(
      "tr",
      {},
      make("td", {}, go(node)),
      make("td", { text: words(node.kind) }),
      make("td", { text: stateWord(node) }),
      number(strengthAt(node)),
      make("td", { className: "number", text: node.links.filter(shown).length }),
    ),
  );
  table($("linklist"), ["link", "kind", "state", "strength"], links.filter(shown), link =>
    make(
      "tr",
      {},
      make("td", {}, go(link)),
      make("td", { text: words(link.kind) + (link.direction ? (link.direction > 0 ? " →" : " ←") : "") }),
      make("td", { text: stateWord(link) }),
      number(strengthAt(link)),
    ),
  );
  before = document.activeElement;
  $("lists").hidden = false;
  $("lists").focus();
}
function shutLists() {
  $("lists").hidden = true;
  (before || canvas).focus();
}

// Legend
function swatch(paintIt) {
  const made = make("canvas", { width: 52, height: 32 }),
    small = made.getContext("2d");
  small.scale(2, 2);
  paintIt(small);
  return made;
}
const counted = (things, key) => {
  const found = new Map();
  for (const each of things) found.set(key(each), (found.get(key(each)) || 0) + 1);
  return found;
};
function legend() {
  const toggle = (set, key) => event => {
    if (set.has(key)) set.delete(key);
    else set.add(key);
    event.currentTarget.setAttribute("aria-pressed", String(!set.has(key)));
    told();
    retell();
    redraw();
  };
  const row = (set, key, name, count, paintIt) =>
    make(
      "button",
      { type: "button", "aria-pressed": String(!set.has(key)), on: toggle(set, key) },
      swatch(paintIt),
      make("span", { text: name }),
      make("span", { className: "quiet number", text: count.toLocaleString("en") }),
    );
  const rank = kind => (KINDS.indexOf(kind) + 99) % 99;
  $("kinds").replaceChildren(
    ...[...counted(nodes, node => node.kind)]
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([kind, count]) =>
        row(hidden.node, kind, words(kind), count, small =>
          mark(small, kind, 13, 8, 6, colouring === "kind" ? colourOf(NODE_HUES, kind) : ink),
        ),
      ),
  );
  $("families").replaceChildren(
    ...[...counted(links, linkKey)].sort().map(([key, count]) => {
      const [family, kind] = key.split("\n");
      return row(hidden.link, key, words(kind), count, small => {
        small.strokeStyle = colouring === "kind" ? colourOf(LINK_HUES, kind) : ink;
        small.lineWidth = 2.4;
        small.setLineDash(family === "structural" ? [1.5, 3] : []);
        small.beginPath();
        small.moveTo(1, 8);
        small.lineTo(25, 8);
        small.stroke();
      });
    }),
  );
  $("states").replaceChildren(
    ...(colouring === "kind"
      ? []
      : [
          make("h2", { text: "States" }),
          ...sky.states.map((state, place) =>
            make(
              "div",
              { className: "row" },
              swatch(small => mark(small, "", 10, 8, 6, colourOf(STATE_HUES, state))),
              make("span", { text: sky.state_words[place] || "none" }),
            ),
          ),
        ]),
  );
  listGroups();
  const percent = share => `${Math.round(100 * share)} %`;
  $("record").replaceChildren(
    ...(sky.record.length ? [make("h2", { text: "Predictions: said, and came true" })] : []),
    ...sky.record.map(([said, came, count]) =>
      make(
        "div",
        { className: "row" },
        make("span", { text: `${percent(said)} said` }),
        make("meter", { min: 0, max: 1, value: came, "aria-label": `came true: ${percent(came)}` }),
        make("span", { className: "quiet", text: `${percent(came)} of ${count.toLocaleString("en")} came` }),
      ),
    ),
  );
  $("left").replaceChildren(
    ...[...(sky.left.length ? [] : [["", "Every node and every link is drawn."]]), ...sky.left, ...sky.less].map(
      ([text, count]) => make("li", { text: text ? `${count.toLocaleString("en")} ${text}` : count }),
    ),
  );
}
function told() {
  const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
  const all = nodes.filter(seen).length,
    some = links.filter(shown).length,
    left = sky.left.reduce((sum, [, many]) => sum + many, 0);
  $("counted").textContent = [
    count(all, "node"),
    count(some, "link"),
    left ? `${left.toLocaleString("en")} left out` : "",
    `as of ${sky.made}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
