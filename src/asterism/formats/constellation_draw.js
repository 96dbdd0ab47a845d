// The drawing: the view, shapes, and one picture. Below lies what is there, laid by a painter; above it what is pointed at,
// and names. The painter is asked again only when the view or what is there has changed.
const canvas = $("sky"),
  pen = canvas.getContext("2d");
let painter = null; // of `deep`, the canvas below
const view = { x: 0, y: 0, k: 1 };
let wide = 0,
  high = 0,
  dense = 1,
  chosen = null,
  over = null,
  matches = null;
const toX = x => (x - view.x) * view.k + wide / 2,
  toY = y => (y - view.y) * view.k + high / 2;
const smallest = () => (nodes.length > 5000 ? 0.16 : 0.42); // of marks seen from far away, where many would be one blot
const scale = () => Math.min(1.7, Math.max(smallest(), Math.pow(view.k, 0.55)));
const radius = node => node.size * scale();
const ties = thing => (thing.members ? thing.links : there.links.filter(link => link.a === thing || link.b === thing));
const crowded = () => there.links.length > 1500;
const widen = () => (crowded() ? Math.min(1, 0.45 + view.k * 0.6) : scale());
const busy = () => (crowded() ? Math.min(1, 0.3 + view.k * 0.55) : 1); // how much of their colour lines keep
const level = link => Math.ceil(strengthAt(link) * 5);
const brightness = node => (node.strength === null ? 0.92 : 0.45 + 0.55 * Math.min(1, strengthAt(node)));
let asked = 0,
  changed = true, // what is there: the time, a filter, colours
  painted = ""; // the view that the painter has laid
const draw = () => {
  if (!asked)
    asked = requestAnimationFrame(() => {
      asked = 0;
      picture();
    });
};
const redraw = () => {
  changed = true;
  draw();
};

// Shapes: each kind has its own, so that colour is never the only sign
const STAR = new Path2D(
  "M0-1.35C.14-.32.32-.14 1.35 0C.32.14.14.32 0 1.35C-.14.32-.32.14-1.35 0C-.32-.14-.14-.32 0-1.35Z",
);
const SQUARE = new Path2D("M-.6-.86H.6Q.86-.86.86-.6V.6Q.86.86.6.86H-.6Q-.86.86-.86.6V-.6Q-.86-.86-.6-.86Z");
const DIAMOND = new Path2D("M0-1.15L1 0L0 1.15L-1 0Z"),
  RUNG = new Path2D("M-1.4-.38H1.4V.38H-1.4Z"),
  HILL = new Path2D("M0-1L1 .8H-1Z");
const PILE = new Path2D("M-1-.45H1V-.05H-1ZM-1 .2H1V.6H-1ZM-1-1.1H1V-.7H-1Z");
const DISC = new Path2D();
DISC.arc(0, 0, 0.9, 0, 7);
const RING = new Path2D();
RING.arc(0, 0, 1, 0, 7);
RING.moveTo(0.45, 0);
RING.arc(0, 0, 0.45, 0, 7, true);
const SHAPES = { star: STAR, block: SQUARE, narrative: DIAMOND, level: RUNG, actor: RING, place: HILL, group: PILE };
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
  const ax = toX(link.a.x),
    ay = toY(link.a.y),
    bx = toX(link.b.x),
    by = toY(link.b.y);
  return (
    (ax < -40 && bx < -40) || (ax > wide + 40 && bx > wide + 40) || (ay < -40 && by < -40) || (ay > high + 40 && by > high + 40)
  );
};
const asleep = link => sky.states[stateAt(link)] === "DORMANT";
const dash = link => (link.family === "structural" ? 2 : asleep(link) ? 1 : 0);
const DASHES = [[], [7, 5], [1.5, 4]];
function arrow(pen, link, colour) {
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

// One picture
function picture() {
  if (changed) {
    standing();
    painter.take(there);
    changed = false;
    painted = "";
  }
  const wanted = `${view.x} ${view.y} ${view.k} ${wide} ${high} ${dense}`;
  if (painted !== wanted) {
    const left = painter.paint();
    $("waiting").textContent = left ? `${left.toLocaleString("en")} weaker links are drawn when you come nearer` : "";
    painted = wanted;
  }
  const focus = over || chosen,
    near = new Set(),
    lit = new Set();
  if (focus && focus.a) {
    near.add(focus.a).add(focus.b);
    if (shown(focus)) lit.add(focus);
  } else if (focus) {
    near.add(focus);
    for (const link of ties(focus)) {
      lit.add(link);
      near.add(link.a).add(link.b);
    }
  }
  const dimmed = Boolean(focus || matches);
  painter.surface.style.opacity = dimmed ? (crowded() ? 0.3 : 0.5) : 1;
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, wide, high);
  for (const link of lit) {
    pen.strokeStyle = linkColour(link);
    pen.lineWidth = 1.2 + 4 * strengthAt(link);
    pen.setLineDash(DASHES[dash(link)]);
    pen.beginPath();
    trace(pen, link);
    pen.stroke();
    pen.setLineDash([]);
    arrow(pen, link, linkColour(link));
  }
  const inSight = [];
  for (const node of there.nodes) {
    const x = toX(node.x),
      y = toY(node.y);
    if (x < -60 || y < -40 || x > wide + 60 || y > high + 40) continue;
    const found = matches && matches.has(node);
    if (near.has(node) || found) bright(node, x, y, node === chosen || node === over || (found && matches.size < 400));
    if (near.has(node) || found || !dimmed || !(crowded() || matches)) inSight.push(node);
  }
  names(inSight, near, focus);
}
function bright(node, x, y, ringed) {
  const r = radius(node);
  if (!crowded()) mark(pen, node.kind, x, y, r + 1.5, halo);
  pen.globalAlpha = brightness(node);
  mark(pen, node.kind, x, y, r, nodeColour(node));
  pen.globalAlpha = 1;
  if (!ringed) return;
  pen.strokeStyle = accent;
  pen.lineWidth = node === chosen ? 3 : 2;
  pen.beginPath();
  pen.arc(x, y, r * 1.3 + 4, 0, 7);
  pen.stroke();
}

// WebGL2 where it works; the canvas where it does not, where it breaks off, or where the address ends in #canvas
function takePainter() {
  const surface = $("deep");
  painter = location.hash === "#canvas" ? null : webglPainter(surface);
  if (painter) surface.addEventListener("webglcontextlost", () => plainPainter());
  else plainPainter();
}
function plainPainter() {
  const fresh = $("deep").cloneNode(); // one that was asked for WebGL2 draws nothing else
  $("deep").replaceWith(fresh);
  painter = canvasPainter(fresh);
  fresh.width = canvas.width;
  fresh.height = canvas.height;
  redraw();
}
