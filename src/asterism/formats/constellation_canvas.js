// The painter by the canvas alone, where there is no WebGL2: lines of one look in one stroke, marks from one sheet of them.
const MOST_LINES = 8000; // that are drawn at once; the weaker ones of a full picture wait until one comes nearer

// Things by how they look, in the order in which the first of each look comes
function alike(things, look) {
  const found = new Map();
  for (const thing of things) {
    const told = look(thing),
      key = Object.values(told).join("|");
    if (!found.has(key)) found.set(key, { ...told, things: [] });
    found.get(key).things.push(thing);
  }
  return [...found.values()];
}

function canvasPainter(surface) {
  const paper = surface.getContext("2d");
  let lines = [],
    marks = [],
    directed = [];
  const stamps = new Map();
  const stamped = (kind, colour) => {
    const key = `${kind}|${colour}`;
    if (!stamps.has(key)) {
      const made = document.createElement("canvas"),
        soft = made.getContext("2d");
      made.width = made.height = 96;
      mark(soft, kind, 48, 48, 28, colour);
      stamps.set(key, made);
    }
    return stamps.get(key);
  };
  const put = (stamp, x, y, r) => {
    const half = (r * 48) / 28; // of the stamp, whose mark has a radius of 28
    paper.drawImage(stamp, x - half, y - half, 2 * half, 2 * half);
  };
  const drawLines = () => {
    const thin = widen(),
      crowd = crowded();
    let drawn = 0,
      left = 0;
    for (const { colour, level, style, things } of lines) {
      paper.strokeStyle = colour;
      paper.setLineDash(crowd && view.k < 0.3 ? [] : DASHES[style]);
      paper.lineWidth = (0.5 + level * 0.62) * thin;
      paper.globalAlpha = (0.26 + level * 0.12) * busy() * (style === 2 ? 0.75 : 1);
      paper.beginPath();
      for (const link of things) {
        if (outside(link)) continue;
        if (drawn >= MOST_LINES) {
          left++;
          continue;
        }
        drawn++;
        trace(paper, link);
      }
      paper.stroke();
    }
    paper.setLineDash([]);
    paper.globalAlpha = 0.85;
    if (view.k > 0.55 || !crowd) for (const link of directed) if (!outside(link)) arrow(paper, link, linkColour(link));
    return left;
  };
  const drawMarks = ({ kind, colour, bright, things }) => {
    const light = dark.matches && kind === "star" && !(crowded() && view.k < 0.3) ? 0.55 * bright * (crowded() ? Math.min(1, view.k * 0.7) : 1) : 0;
    paper.fillStyle = colour;
    paper.globalAlpha = bright;
    for (const node of things) {
      const x = toX(node.x),
        y = toY(node.y);
      if (x < -60 || y < -40 || x > wide + 60 || y > high + 40) continue;
      const r = radius(node);
      if (light) {
        paper.globalAlpha = light;
        paper.drawImage(glow(colour), x - r * 4, y - r * 4, r * 8, r * 8);
        paper.globalAlpha = bright;
      }
      if (!crowded()) {
        paper.globalAlpha = 1;
        put(stamped(kind, halo), x, y, r + 1.5);
        paper.globalAlpha = bright;
      }
      if (r < 1.6) paper.fillRect(x - r, y - r, 2 * r, 2 * r);
      else put(stamped(kind, colour), x, y, r);
    }
  };
  return {
    name: "canvas",
    surface,
    take(there) {
      stamps.clear();
      const looks = alike(there.links, link => ({ level: level(link), colour: linkColour(link), style: dash(link) }));
      lines = looks.sort((one, other) => other.level - one.level); // the strongest first: see MOST_LINES
      directed = there.links.filter(link => link.direction);
      const bright = node => Math.round(brightness(node) * 10) / 10;
      marks = alike([...there.nodes].reverse(), node => ({ kind: node.kind, colour: nodeColour(node), bright: bright(node) }));
    },
    paint() {
      paper.setTransform(dense, 0, 0, dense, 0, 0);
      paper.clearRect(0, 0, wide, high);
      const left = drawLines();
      marks.forEach(drawMarks);
      paper.globalAlpha = 1;
      return left;
    },
  };
}
