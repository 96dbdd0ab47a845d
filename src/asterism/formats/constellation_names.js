// Names: the heaviest first, each beside its mark, none over another or under a card.
const cards = [document.querySelector("header"), ...["legend", "zoom", "time", "panel"].map($)];
let labels = []; // as they were put, none over another
const CELL = 40,
  TRIES = 12, // names that are tried for each that there is room for
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
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + h) / CELL); j++) if (look(i * 65536 + j)) return true;
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
  let told = 0,
    tried = 0;
  const named = new Set();
  for (const node of [...first, ...drawn]) {
    if ((told >= most && named.size > first.length) || tried > most * TRIES) break;
    if (named.has(node)) continue;
    named.add(node);
    const must = node === chosen || node === over;
    if (!must && !near.has(node) && view.k < 0.4 && nodes.length > 400 && (!node.name || node.links.length < 3))
      continue;
    tried++;
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
