// Groups: the lines of a conversation, the levels of a symbol, what shares a tag or a domain folds into one mark.
const folded = new Set();
let groups;
function takeGroups() {
  const members = sky.groups.map(() => []);
  for (const node of nodes) if (node.group >= 0) members[node.group].push(node);
  groups = sky.groups.map((name, i) => groupMark(name, i, members[i]));
}
function groupMark(name, i, members) {
  const mean = of => members.reduce((sum, node) => sum + of(node), 0) / members.length;
  const mark = {
    id: name,
    kind: "group",
    name: `${name} (${members.length})`,
    text: "",
    state: sky.states.indexOf(""),
    strength: null,
    at: null,
    strengths: [],
    states: [],
    x: mean(node => node.x),
    y: mean(node => node.y),
    size: 6 + 2.4 * Math.sqrt(Math.sqrt(members.length)),
    links: [],
    members,
    group: i,
  };
  mark.label = squeezed(mark.name, 34);
  mark.title = mark.name;
  return mark;
}
takeGroups();
const standsFor = node => (node.group >= 0 && folded.has(node.group) ? groups[node.group] : node);

// What is seen at the time of the slider, folded groups as one mark each, their links to others as one line each
function standing() {
  there.nodes = byWeight.filter(seen);
  there.links = links.filter(shown);
  if (!folded.size) return;
  const marks = new Set();
  for (const node of there.nodes) if (standsFor(node) !== node) marks.add(standsFor(node));
  for (const mark of marks) mark.links = [];
  const lines = new Map(),
    kept = [];
  for (const link of there.links) {
    const a = standsFor(link.a),
      b = standsFor(link.b);
    if (a === link.a && b === link.b) kept.push(link);
    else if (a !== b) {
      const key = a.id < b.id ? `${a.kind}${a.id}\n${b.kind}${b.id}` : `${b.kind}${b.id}\n${a.kind}${a.id}`,
        line = lines.get(key);
      if (!line) lines.set(key, { strongest: link, a, b, all: [link] });
      else {
        line.all.push(link);
        if (strengthAt(link) > strengthAt(line.strongest)) line.strongest = link;
      }
    }
  }
  const merged = [...lines.values()].map(({ strongest, a, b, all }) =>
    Object.assign(Object.create(strongest), { a, b, all, bend: 0, direction: all.length > 1 ? 0 : strongest.direction }),
  );
  for (const line of merged) for (const end of [line.a, line.b]) if (end.members) end.links.push(line);
  there.nodes = [...marks, ...there.nodes.filter(node => standsFor(node) === node)].sort((a, b) => b.size - a.size);
  there.links = [...kept, ...merged];
}

function fold(which, on) {
  for (const group of which) {
    if (on) folded.add(group);
    else folded.delete(group);
  }
  const hides = thing => standsFor(thing) !== thing || (thing.members && !folded.has(thing.group));
  over = null;
  if (chosen && (chosen.a ? hides(chosen.a) || hides(chosen.b) : hides(chosen))) choose(null);
  changed = true;
  listGroups();
  draw();
}
function tellGroup(mark) {
  $("about").replaceChildren(
    make("div", { className: "chips" }, chip("group", colourOf(NODE_HUES, "group"))),
    make("h2", { className: "name", text: mark.id }),
    make("button", { type: "button", text: `Unfold ${mark.members.length}`, on: () => fold([mark.group], false) }),
  );
  $("life").hidden = true;
  $("sum").replaceChildren();
  const heaviest = [...mark.members].sort((a, b) => b.size - a.size || a.i - b.i);
  $("ties").replaceChildren(
    make("h2", { text: `Holds ${mark.members.length}, the heaviest first` }),
    make("ul", {}, ...heaviest.slice(0, 60).map(node => make("li", {}, make("span", { className: "what", text: node.title })))),
  );
}
function listGroups() {
  $("groups").hidden = !groups.length;
  const every = groups.map(mark => mark.group),
    all = folded.size === groups.length,
    some = [...groups].sort((a, b) => b.members.length - a.members.length || a.group - b.group).slice(0, 40);
  $("grouplist").replaceChildren(
    make("button", { type: "button", text: all ? "Unfold all (G)" : "Fold all (G)", on: () => fold(every, !all) }),
    ...some.map(mark =>
      make(
        "button",
        {
          type: "button",
          "aria-pressed": String(folded.has(mark.group)),
          on: () => fold([mark.group], !folded.has(mark.group)),
        },
        make("span", { text: mark.id }),
        make("span", { className: "quiet number", text: mark.members.length.toLocaleString("en") }),
      ),
    ),
    ...(groups.length > some.length
      ? [make("p", { className: "quiet", text: `and ${groups.length - some.length} smaller groups` })]
      : []),
  );
}
