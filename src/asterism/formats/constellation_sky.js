
"use strict";
// The sky: its nodes and links, their colours, and how they stand at the time of the slider.
const $ = id => document.getElementById(id);
const squeezed = (text, most) => {
  const line = text.replace(/\s+/g, " ").trim();
  const all = [...line.slice(0, most * 2 + 2)];
  return all.length > most ? all.slice(0, most - 1).join("") + "…" : line;
};
let sky, nodes, links, byWeight;

function takeSky(told) {
  sky = told;
  const row = (columns, i) => Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]]));
  nodes = sky.nodes.id.map((id, i) => ({ i, ...row(sky.nodes, i), links: [], weight: 0 }));
  links = sky.links.id.map((id, i) => {
    const told = row(sky.links, i);
    return { i, ...told, a: nodes[told.a], b: nodes[told.b], bend: 0 };
  });
  bendAndWeigh();
  if (innerHeight > innerWidth * 1.2) for (const node of nodes) [node.x, node.y] = [node.y, node.x]; // it stands where the screen does
  const heaviest = nodes.reduce((most, node) => Math.max(most, node.weight), 1);
  for (const node of nodes) {
    node.label = squeezed(node.name || node.text || node.id, node.name ? 34 : 26);
    node.title = node.name || squeezed(node.text, 90) || node.id;
    node.size =
      3.6 + 5.4 * Math.sqrt(node.weight / heaviest) + (node.kind === "star" ? 2 + 2 * (node.strength || 0) : 0);
  }
  byWeight = [...nodes].sort((a, b) => b.size - a.size || b.weight - a.weight || a.i - b.i);
}
// Every node weighs what its links do; links of the same two nodes lie beside one another
function bendAndWeigh() {
  const beside = new Map();
  for (const link of links) {
    link.a.links.push(link);
    if (link.b !== link.a) link.b.links.push(link);
    const weight = link.family === "structural" ? link.strength / 3 : link.strength;
    link.a.weight += weight;
    link.b.weight += weight;
    const pair = link.a.i < link.b.i ? `${link.a.i} ${link.b.i}` : `${link.b.i} ${link.a.i}`;
    const many = beside.get(pair) || 0;
    beside.set(pair, many + 1);
    link.bend = (many % 2 ? 1 : -1) * Math.ceil(many / 2) * (link.a.i < link.b.i ? 1 : -1);
  }
}
takeSky(JSON.parse($("data").textContent));

// Colours
const dark = matchMedia("(prefers-color-scheme: dark)");
const KINDS = ["star", "block", "moment", "actor", "narrative", "level", "thing", "place", "group", "unknown"];
const NODE_HUES = {
  star: [44, 96],
  block: [205, 78],
  moment: [268, 52],
  actor: [340, 72],
  narrative: [165, 60],
  level: [18, 80],
  thing: [90, 45],
  place: [130, 40],
  group: [190, 40],
  unknown: [220, 8],
};
const LINK_HUES = {
  resonance: [214, 72],
  tension: [356, 74],
  causation: [28, 88],
  growth_edge: [145, 55],
  shadow_mirror: [285, 50],
  blocks: [0, 0],
  similar: [195, 55],
  conflict: [340, 85],
  co_occurs: [170, 45],
  outcome: [130, 50],
  caused: [28, 75],
  order: [230, 14],
  walk: [165, 55],
};
const STATE_HUES = {
  STRONG: [145, 62],
  MODERATE: [90, 55],
  WEAK: [52, 75],
  FORMING: [200, 65],
  NASCENT: [225, 55],
  DORMANT: [225, 10],
  DISSOLVED: [0, 0],
  BRIGHT: [48, 95],
  FLICKERING: [30, 80],
  DIM: [215, 35],
  DARK: [350, 60],
  active: [205, 70],
  inbox: [40, 70],
  "": [220, 10],
};
const hue = (table, word) =>
  Object.hasOwn(table, word)
    ? table[word]
    : [[...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7), 50];
const paint = ([h, s]) => `hsl(${h} ${s}% ${dark.matches ? 70 : s > 60 ? 42 : 44}%)`;
const paints = new Map();
const colourOf = (table, word) => {
  const key = (table === LINK_HUES ? "l" : table === STATE_HUES ? "s" : "n") + word;
  if (!paints.has(key)) paints.set(key, paint(hue(table, word)));
  return paints.get(key);
};
let colouring = "kind",
  ink = "",
  halo = "",
  accent = "";
const nodeColour = node =>
  colouring === "kind" ? colourOf(NODE_HUES, node.kind) : colourOf(STATE_HUES, sky.states[stateAt(node)]);
const linkColour = link =>
  colouring === "kind" ? colourOf(LINK_HUES, link.kind) : colourOf(STATE_HUES, sky.states[stateAt(link)]);
function readColours() {
  const told = getComputedStyle(document.documentElement);
  paints.clear();
  ink = told.getPropertyValue("--ink");
  halo = told.getPropertyValue("--halo");
  accent = told.getPropertyValue("--accent");
}

// Time: a place on the slider, between two of its points
let clock = sky.now;
const mix = (list, at) => {
  const low = Math.floor(at),
    high = Math.min(low + 1, list.length - 1);
  return list[low] + (list[high] - list[low]) * (at - low);
};
const moment = () => (sky.times.length ? mix(sky.times, clock) : Infinity);
const atEnd = () => !sky.times.length || clock === sky.now;
const strengthAt = thing =>
  !thing.strengths.length ? thing.strength : clock === sky.now ? thing.strength : mix(thing.strengths, clock) / 1000;
const stateAt = thing => (thing.states.length && clock !== sky.now ? thing.states[Math.round(clock)] : thing.state);
const here = thing => atEnd() || thing.at === null || thing.at <= moment() || !sky.times.length;
const hidden = { node: new Set(), link: new Set() };
const there = { nodes: [], links: [] }; // what is seen at the time of the slider, the heaviest and the strongest first
const seen = node => !hidden.node.has(node.kind) && here(node);
const linkKey = link => `${link.family}\n${link.kind}`;
const shown = link =>
  !hidden.link.has(linkKey(link)) &&
  seen(link.a) &&
  seen(link.b) &&
  here(link) &&
  strengthAt(link) > 0.0005 &&
  sky.states[stateAt(link)] !== "DISSOLVED";
