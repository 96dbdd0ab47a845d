// How one moves about: pan, zoom, point, keys.
function bounds(some) {
  const xs = some.map(node => node.x),
    ys = some.map(node => node.y);
  const least = list => list.reduce((a, b) => Math.min(a, b), Infinity),
    most = list => list.reduce((a, b) => Math.max(a, b), -Infinity);
  return { left: least(xs), right: most(xs), top: least(ys), low: most(ys) };
}
function room() {
  // what the cards leave free
  if (wide <= 640)
    return {
      left: 44,
      right: wide - 60,
      top: 124,
      low: high - ($("panel").hidden ? 96 : Math.max(120, $("panel").offsetHeight + 16)),
    };
  return {
    left: wide > 900 && $("legend").open ? 296 : 60,
    right: wide - ($("panel").hidden ? 130 : $("panel").offsetWidth + 40),
    top: 60,
    low: high - 110,
  };
}
function fit(some, most = 1.6) {
  const { left, right, top, low } = bounds(some.length ? some : [{ x: 0, y: 0 }]),
    free = room();
  view.k = Math.min(
    most,
    Math.max(0.01, Math.min((free.right - free.left) / (right - left + 40), (free.low - free.top) / (low - top + 40))),
  );
  view.x = (left + right) / 2 + (wide / 2 - (free.left + free.right) / 2) / view.k;
  view.y = (top + low) / 2 + (high / 2 - (free.top + free.low) / 2) / view.k;
  draw();
}
function zoom(by, x = wide / 2, y = high / 2) {
  const k = Math.min(12, Math.max(0.02, view.k * by)),
    wx = (x - wide / 2) / view.k + view.x,
    wy = (y - high / 2) / view.k + view.y;
  view.x = wx - (x - wide / 2) / k;
  view.y = wy - (y - high / 2) / k;
  view.k = k;
  draw();
}
function visit(thing) {
  const at = thing.a
    ? [thing.a, thing.b]
    : [
        thing,
        ...ties(thing)
          .slice(0, 40)
          .map(link => (link.a === thing ? link.b : link.a)),
      ];
  fit(at, Math.max(1.1, Math.min(view.k, 2)));
}
function keepInSight(thing) {
  const free = room(),
    x = thing.a ? (toX(thing.a.x) + toX(thing.b.x)) / 2 : toX(thing.x),
    y = thing.a ? (toY(thing.a.y) + toY(thing.b.y)) / 2 : toY(thing.y);
  const pull = (at, low, top) => (at < low + 20 ? at - low - 20 : at > top - 20 ? at - top + 20 : 0);
  view.x += pull(x, free.left, free.right) / view.k;
  view.y += pull(y, free.top, free.low) / view.k;
}
function elsewhere(link, x, y, reach) {
  // a bent link stays within a fifth of its length on either side
  const ax = toX(link.a.x) - x,
    ay = toY(link.a.y) - y,
    bx = toX(link.b.x) - x,
    by = toY(link.b.y) - y,
    more = reach + (link.bend ? Math.abs(link.bend) * 0.22 * (Math.abs(ax - bx) + Math.abs(ay - by)) : 0);
  return Math.min(ax, bx) > more || Math.max(ax, bx) < -more || Math.min(ay, by) > more || Math.max(ay, by) < -more;
}
function under(x, y, reach) {
  let best = null,
    gap = Infinity;
  for (const node of there.nodes) {
    const far = Math.hypot(toX(node.x) - x, toY(node.y) - y) - radius(node);
    if (far < reach && far < gap) {
      gap = far;
      best = node;
    }
  }
  if (best) return best;
  gap = reach;
  for (const link of there.links)
    if (!elsewhere(link, x, y, reach)) {
      const { ax, ay, bx, by, cx, cy } = ends(link);
      const halves = link.bend
        ? [
            [ax, ay, (ax + 2 * cx + bx) / 4, (ay + 2 * cy + by) / 4],
            [(ax + 2 * cx + bx) / 4, (ay + 2 * cy + by) / 4, bx, by],
          ]
        : [[ax, ay, bx, by]];
      for (const [px, py, qx, qy] of halves) {
        const dx = qx - px,
          dy = qy - py,
          along = Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy || 1)));
        const far = Math.hypot(px + dx * along - x, py + dy * along - y);
        if (far < gap) {
          gap = far;
          best = link;
        }
      }
    }
  return best;
}

// Pointers: one drags, two pinch, a short one chooses
let pointed = null; // where the mouse is, to be looked at once a frame
function pointAt(x, y) {
  if (!pointed)
    requestAnimationFrame(() => {
      const [left, top] = pointed;
      pointed = null;
      const found = fingers.size ? null : under(left, top, 6);
      if (found === over) return;
      over = found;
      canvas.classList.toggle("over", Boolean(found));
      draw();
    });
  pointed = [x, y];
}
const fingers = new Map();
let moved = 0,
  apart = 0;
canvas.addEventListener("pointerdown", event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 1) moved = 0;
  apart = 0;
});
canvas.addEventListener("pointermove", event => {
  const was = fingers.get(event.pointerId);
  if (!was) {
    if (event.pointerType === "mouse") pointAt(event.clientX, event.clientY);
    return;
  }
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const dx = event.clientX - was[0],
    dy = event.clientY - was[1];
  moved += Math.hypot(dx, dy);
  if (fingers.size === 1 && moved > 4) {
    over = null;
    canvas.classList.add("held");
    view.x -= dx / view.k;
    view.y -= dy / view.k;
    draw();
  }
  if (fingers.size === 2) {
    const [[ax, ay], [bx, by]] = [...fingers.values()],
      far = Math.hypot(ax - bx, ay - by);
    moved += 9;
    if (apart) zoom(far / apart, (ax + bx) / 2, (ay + by) / 2);
    view.x -= dx / 2 / view.k;
    view.y -= dy / 2 / view.k;
    apart = far;
    draw();
  }
});
function lift(event) {
  const had = fingers.delete(event.pointerId);
  canvas.classList.remove("held");
  apart = 0;
  if (had && event.type === "pointerup" && moved <= 4 && !fingers.size)
    choose(under(event.clientX, event.clientY, event.pointerType === "mouse" ? 7 : 16), { quiet: true });
}
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("pointerleave", () => {
  if (over) {
    over = null;
    draw();
  }
});
canvas.addEventListener(
  "wheel",
  event => {
    event.preventDefault();
    zoom(
      Math.exp(-Math.max(-120, Math.min(120, event.deltaY * (event.deltaMode ? 30 : 1))) * 0.0022),
      event.clientX,
      event.clientY,
    );
  },
  { passive: false },
);
canvas.addEventListener("dblclick", event => {
  const found = under(event.clientX, event.clientY, 7);
  if (found && found.members) fold([found.group], false);
  else zoom(1.8, event.clientX, event.clientY);
});

// Keys
function step(dx, dy) {
  const from = chosen && !chosen.a && seen(chosen) ? chosen : null;
  let best = null,
    cost = Infinity;
  const x = from ? from.x : view.x,
    y = from ? from.y : view.y;
  for (const node of nodes)
    if (node !== from && seen(node)) {
      const ahead = (node.x - x) * dx + (node.y - y) * dy,
        aside = Math.abs((node.x - x) * dy) + Math.abs((node.y - y) * dx);
      if (from && ahead <= 0) continue;
      const price = from ? ahead + 2.2 * aside : Math.hypot(node.x - x, node.y - y);
      if (price < cost) {
        cost = price;
        best = node;
      }
    }
  if (best) choose(best, { quiet: true });
}
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
canvas.addEventListener("keydown", event => {
  if (STEPS[event.key]) {
    event.preventDefault();
    step(...STEPS[event.key]);
  }
  if (event.key === "Enter" && chosen) {
    event.preventDefault();
    choose(chosen);
  }
});
document.addEventListener("keydown", event => {
  if (event.key === "Escape") {
    if (!$("lists").hidden) shutLists();
    else if (!$("found").hidden) closeFound();
    else if (chosen) choose(null);
    return;
  }
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey || !$("lists").hidden) return;
  if (event.key === "+" || event.key === "=") zoom(1.3);
  if (event.key === "-") zoom(1 / 1.3);
  if (event.key === "0") fit(nodes.filter(seen));
  if (event.key === "/") {
    event.preventDefault();
    $("search").focus();
  }
  if (event.key.toLowerCase() === "l") openLists();
  if (event.key.toLowerCase() === "g" && groups.length)
    fold(
      groups.map(mark => mark.group),
      folded.size < groups.length,
    );
});
$("zoom").addEventListener("click", event => {
  const how = event.target.dataset.zoom;
  if (how === "in") zoom(1.4);
  if (how === "out") zoom(1 / 1.4);
  if (how === "all") fit(nodes.filter(seen));
});
$("listed").addEventListener("click", openLists);
$("shut").addEventListener("click", shutLists);
$("close").addEventListener("click", () => choose(null));
document.querySelectorAll("[data-colour]").forEach(button =>
  button.addEventListener("click", () => {
    colouring = button.dataset.colour;
    document
      .querySelectorAll("[data-colour]")
      .forEach(each => each.setAttribute("aria-pressed", String(each === button)));
    legend();
    redraw();
  }),
);
