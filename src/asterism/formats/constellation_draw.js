// The drawing: the view, shapes, and one picture of what is there.
const canvas = $("sky"),
  pen = canvas.getContext("2d");
const view = { x: 0, y: 0, k: 1 };
let wide = 0,
  high = 0,
  dense = 1,
  chosen = null,
  over = null,
  matches = null;
const toX = x => (x - view.x) * view.k + wide / 2,
  toY = y => (y - view.y) * view.k + high / 2;
const scale = () => Math.min(1.7, Math.max(0.42, Math.pow(view.k, 0.55)));
const radius = node => node.size * scale();
let asked = 0;
const draw = () => {
  if (!asked)
    asked = requestAnimationFrame(() => {
      asked = 0;
      picture();
    });
};

// Shapes: each kind has its own, so that colour is never the only sign
const STAR = new Path2D(
  "M0-1.35C.14-.32.32-.14 1.35 0C.32.14.14.32 0 1.35C-.14.32-.32.14-1.35 0C-.32-.14-.14-.32 0-1.35Z",
);
const SQUARE = new Path2D("M-.6-.86H.6Q.86-.86.86-.6V.6Q.86.86.6.86H-.6Q-.86.86-.86.6V-.6Q-.86-.86-.6-.86Z");
const DIAMOND = new Path2D("M0-1.15L1 0L0 1.15L-1 0Z"),
  RUNG = new Path2D("M-1.4-.38H1.4V.38H-1.4Z"),
  HILL = new Path2D("M0-1L1 .8H-1Z");
const DISC = new Path2D();
DISC.arc(0, 0, 0.9, 0, 7);
const RING = new Path2D();
RING.arc(0, 0, 1, 0, 7);
RING.moveTo(0.45, 0);
RING.arc(0, 0, 0.45, 0, 7, true);
const SHAPES = { star: STAR, block: SQUARE, narrative: DIAMOND, level: RUNG, actor: RING, place: HILL };
function mark(pen, kind, x, y, size, colour) {
  pen.save();
  pen.translate(x, y);
  pen.scale(size, size);
  pen.fillStyle = colour;
  if (kind === "unknown") {
    pen.lineWidth = 0.4;
    pen.strokeStyle = colour;
    pen.stroke(DISC);
  } else pen.fill(Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : DISC, "evenodd");
  pen.restore();
}
const glows = new Map();
function glow(colour) {
  if (!glows.has(colour)) {
    const made = document.createElement("canvas"),
      soft = made.getContext("2d");
    made.width = made.height = 128;
    const light = soft.createRadialGradient(64, 64, 2, 64, 64, 64);
    light.addColorStop(0, colour);
    light.addColorStop(0.25, colour.replace(")", " / .35)"));
    light.addColorStop(1, colour.replace(")", " / 0)"));
    soft.fillStyle = light;
    soft.fillRect(0, 0, 128, 128);
    glows.set(colour, made);
  }
  return glows.get(colour);
}
const ends = link => {
  const ax = toX(link.a.x),
    ay = toY(link.a.y),
    bx = toX(link.b.x),
    by = toY(link.b.y);
  const off = link.bend * 0.22;
  return { ax, ay, bx, by, cx: (ax + bx) / 2 - (by - ay) * off, cy: (ay + by) / 2 + (bx - ax) * off };
};
function trace(pen, link) {
  const { ax, ay, bx, by, cx, cy } = ends(link);
  pen.moveTo(ax, ay);
  if (link.bend) pen.quadraticCurveTo(cx, cy, bx, by);
  else pen.lineTo(bx, by);
}
const outside = link => {
  const { ax, ay, bx, by } = ends(link);
  return (
    Math.max(ax, bx) < -40 || Math.min(ax, bx) > wide + 40 || Math.max(ay, by) < -40 || Math.min(ay, by) > high + 40
  );
};
const asleep = link => sky.states[stateAt(link)] === "DORMANT";
const dash = link => (link.family === "structural" ? 2 : asleep(link) ? 1 : 0);
const DASHES = [[], [7, 5], [1.5, 4]];
function arrow(link, colour) {
  if (!link.direction) return;
  let { ax, ay, bx, by, cx, cy } = ends(link),
    to = link.b;
  if (link.direction < 0) {
    [ax, ay, bx, by] = [bx, by, ax, ay];
    to = link.a;
  }
  const dx = link.bend ? bx - cx : bx - ax,
    dy = link.bend ? by - cy : by - ay,
    far = Math.hypot(dx, dy);
  if (far < 24) return;
  const ux = dx / far,
    uy = dy / far,
    x = bx - ux * (radius(to) + 3),
    y = by - uy * (radius(to) + 3),
    s = 5 + 4 * strengthAt(link);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - ux * s - uy * s * 0.55, y - uy * s + ux * s * 0.55);
  pen.lineTo(x - ux * s + uy * s * 0.55, y - uy * s - ux * s * 0.55);
  pen.fill();
}

// One picture: links below, nodes above, names on top, none over another
function picture() {
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, wide, high);
  const focus = over || chosen,
    near = new Set(),
    lit = new Set();
  if (focus && focus.a) {
    near.add(focus.a).add(focus.b);
    lit.add(focus);
  } else if (focus) {
    near.add(focus);
    for (const link of focus.links)
      if (shown(link)) {
        lit.add(link);
        near.add(link.a).add(link.b);
      }
  }
  const crowded = links.length > 1500,
    batches = new Map();
  for (const link of links) {
    if (!shown(link) || outside(link) || lit.has(link)) continue;
    const bucket = Math.ceil(strengthAt(link) * 5),
      key = `${linkColour(link)}|${bucket}|${dash(link)}`;
    if (!batches.has(key)) batches.set(key, []);
    batches.get(key).push(link);
  }
  const faint = focus ? (crowded ? 0.3 : 0.5) : matches ? 0.45 : 1,
    busy = crowded ? Math.min(1, 0.3 + view.k * 0.55) : 1;
  for (const [key, some] of batches) {
    const [colour, bucket, style] = key.split("|");
    pen.strokeStyle = colour;
    pen.setLineDash(DASHES[style]);
    pen.lineWidth = (0.5 + bucket * 0.62) * (crowded ? Math.min(1, 0.45 + view.k * 0.6) : scale());
    pen.globalAlpha = (0.26 + bucket * 0.12) * faint * busy * (style === "2" ? 0.75 : 1);
    pen.beginPath();
    for (const link of some) trace(pen, link);
    pen.stroke();
  }
  pen.setLineDash([]);
  if (view.k > 0.55 || !crowded)
    for (const [key, some] of batches) {
      pen.globalAlpha = 0.85 * faint;
      for (const link of some) arrow(link, key.split("|")[0]);
    }
  pen.globalAlpha = 1;
  for (const link of lit)
    if (shown(link)) {
      pen.strokeStyle = linkColour(link);
      pen.lineWidth = 1.2 + 4 * strengthAt(link);
      pen.setLineDash(DASHES[dash(link)]);
      pen.beginPath();
      trace(pen, link);
      pen.stroke();
      pen.setLineDash([]);
      arrow(link, linkColour(link));
    }
  const drawn = [];
  for (let n = byWeight.length - 1; n >= 0; n--) {
    const node = byWeight[n];
    if (!seen(node)) continue;
    const x = toX(node.x),
      y = toY(node.y),
      r = radius(node);
    if (x < -60 || y < -40 || x > wide + 60 || y > high + 40) continue;
    const quiet = (focus && !near.has(node)) || (matches && !matches.has(node) && !near.has(node));
    const colour = nodeColour(node),
      bright = node.strength === null ? 0.92 : 0.45 + 0.55 * Math.min(1, strengthAt(node));
    pen.globalAlpha = quiet ? (crowded ? 0.3 : 0.5) : 1;
    if (dark.matches && node.kind === "star" && !quiet) {
      pen.globalAlpha = 0.55 * bright * (crowded ? Math.min(1, view.k * 0.7) : 1);
      pen.drawImage(glow(colour), x - r * 4, y - r * 4, r * 8, r * 8);
      pen.globalAlpha = 1;
    }
    if (!crowded && !quiet) mark(pen, node.kind, x, y, r + 1.5, halo);
    pen.globalAlpha *= bright;
    mark(pen, node.kind, x, y, r, colour);
    pen.globalAlpha = 1;
    if (node === chosen || node === over || (matches && matches.has(node) && matches.size < 400)) {
      pen.strokeStyle = accent;
      pen.lineWidth = node === chosen ? 3 : 2;
      pen.beginPath();
      pen.arc(x, y, r * 1.3 + 4, 0, 7);
      pen.stroke();
    }
    if (!quiet || (!crowded && !matches)) drawn.push(node);
  }
  names(drawn.reverse(), near, focus);
}

const cards = [document.querySelector("header"), ...["legend", "zoom", "time", "panel"].map($)];
let labels = []; // as they were put, none over another
const CELL = 40,
  widths = new Map();
function names(drawn, near, focus) {
  const taken = new Map(),
    most = Math.round((wide * high) / (nodes.length > 400 && view.k < 0.5 ? 24000 : 7000)),
    size = wide < 640 ? 12 : 13;
  const first = drawn
    .filter(node => near.has(node))
    .sort((a, b) => (b === chosen || b === over) - (a === chosen || a === over));
  pen.font = `${size}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  const boxes = (x, y, w, h, look) => {
    for (let i = Math.floor(x / CELL); i <= Math.floor((x + w) / CELL); i++)
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + h) / CELL); j++) if (look(`${i} ${j}`)) return true;
    return false;
  };
  const clash = (x, y, w, h) =>
    boxes(x, y, w, h, key =>
      (taken.get(key) || []).some(([a, b, c, d]) => x < a + c && a < x + w && y < b + d && b < y + h),
    );
  const keep = (x, y, w, h) => {
    boxes(x, y, w, h, key => {
      if (!taken.has(key)) taken.set(key, []);
      taken.get(key).push([x, y, w, h]);
    });
  };
  if (drawn.length < 900 || view.k > 0.5)
    for (const node of drawn) {
      const r = radius(node) * 0.8;
      keep(toX(node.x) - r, toY(node.y) - r, 2 * r, 2 * r);
    }
  for (const card of cards)
    if (!card.hidden) {
      const { left, top, width, height } = card.getBoundingClientRect();
      keep(left, top, width, height);
    }
  labels = [];
  let told = 0;
  const named = new Set();
  for (const node of [...first, ...drawn]) {
    if (told >= most && named.size > first.length) break;
    if (named.has(node)) continue;
    named.add(node);
    const must = node === chosen || node === over;
    if (!must && !near.has(node) && view.k < 0.4 && nodes.length > 400 && (!node.name || node.links.length < 3))
      continue;
    const key = node.label;
    if (!widths.has(key)) widths.set(key, pen.measureText(key).width);
    const w = widths.get(key) + 4,
      h = size + 4,
      x = toX(node.x),
      y = toY(node.y),
      r = radius(node) + 5;
    const spots = [
      [x + r, y - h / 2],
      [x - w / 2, y + r - 2],
      [x - r - w, y - h / 2],
      [x - w / 2, y - r - h + 2],
    ];
    let spot = spots.find(([a, b]) => a > 2 && b > 2 && a + w < wide - 2 && b + h < high - 2 && !clash(a, b, w, h));
    if (!spot && must) spot = spots[0];
    if (!spot) continue;
    keep(...spot, w, h);
    told++;
    labels.push({ x: spot[0], y: spot[1], w, h, text: node.label });
    pen.globalAlpha = focus && !near.has(node) ? 0.5 : 0.85;
    pen.strokeStyle = halo;
    pen.strokeText(node.label, spot[0] + 2, spot[1] + h / 2);
    pen.globalAlpha = must || near.has(node) ? 1 : focus ? 0.55 : Math.min(1, 0.62 + node.size / 20);
    pen.fillStyle = ink;
    pen.fillText(node.label, spot[0] + 2, spot[1] + h / 2);
  }
  pen.globalAlpha = 1;
}
