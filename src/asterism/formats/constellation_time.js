// Searching, and going through time; then the page begins.
let haystacks = null; // names and texts in small letters, made when they are first looked through
let hits = [],
  place = -1;
const closeFound = () => {
  $("found").hidden = true;
  $("search").setAttribute("aria-expanded", "false");
  $("search").removeAttribute("aria-activedescendant");
};
function look() {
  const query = $("search").value.trim().toLowerCase();
  if (!query) {
    matches = null;
    hits = [];
    closeFound();
    draw();
    return;
  }
  haystacks ??= nodes.map(node => [node.name.toLowerCase(), `${node.text} ${node.id}`.toLowerCase()]);
  const terms = query.split(/\s+/),
    ranked = [];
  nodes.forEach((node, i) => {
    const [name, text] = haystacks[i];
    if (!terms.every(term => name.includes(term) || text.includes(term))) return;
    ranked.push([
      name === query ? 0 : name.startsWith(query) ? 1 : name.includes(query) ? 2 : text.includes(query) ? 3 : 4,
      node,
    ]);
  });
  ranked.sort(([a, one], [b, other]) => a - b || other.size - one.size || one.i - other.i);
  hits = ranked.map(([, node]) => node);
  matches = new Set(hits);
  place = hits.length ? 0 : -1;
  const options = hits
    .slice(0, 12)
    .map((node, i) =>
      make(
        "li",
        { role: "option", id: `hit${i}`, "aria-selected": String(i === place), on: () => pick(i) },
        make("b", { text: squeezed(node.title, 70) }),
        make("span", {
          className: "quiet",
          text: [
            words(node.kind),
            node.text && node.text !== node.title ? squeezed(node.text, 80) : "",
            here(node) ? "" : "not there yet",
          ]
            .filter(Boolean)
            .join(" · "),
        }),
      ),
    );
  const rest =
    hits.length > 12
      ? [make("li", { className: "quiet", text: `and ${hits.length - 12} more, ringed in the drawing` })]
      : hits.length
        ? []
        : [make("li", { className: "quiet", text: "Nothing has these words." })];
  $("found").replaceChildren(...options, ...rest);
  $("found").hidden = false;
  $("search").setAttribute("aria-expanded", "true");
  point();
  say(`${hits.length} found`);
  draw();
}
function point() {
  [...$("found").children].forEach((each, i) => {
    if (each.id) each.setAttribute("aria-selected", String(i === place));
  });
  if (place >= 0) {
    $("search").setAttribute("aria-activedescendant", `hit${place}`);
    $(`hit${place}`).scrollIntoView({ block: "nearest" });
  }
}
function pick(at) {
  const node = hits[at];
  if (!node) return;
  closeFound();
  if (!here(node)) setClock(sky.now);
  hidden.node.delete(node.kind);
  folded.delete(node.group);
  changed = true;
  legend();
  told();
  choose(node, { go: true, quiet: true });
}
$("search").addEventListener("input", look);
$("search").addEventListener("focus", () => {
  if ($("search").value) look();
});
$("search").addEventListener("blur", () => setTimeout(closeFound, 150));
$("found").addEventListener("pointerdown", event => event.preventDefault());
$("search").addEventListener("keydown", event => {
  const last = Math.min(12, hits.length) - 1;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    place = event.key === "ArrowDown" ? Math.min(last, place + 1) : Math.max(0, place - 1);
    point();
  }
  if (event.key === "Enter") {
    event.preventDefault();
    pick(place);
  }
});

// Time
let playing = 0;
function setClock(at) {
  clock = Math.max(0, Math.min(sky.times.length - 1, at));
  if (Math.abs(clock - sky.now) < 1e-6) clock = sky.now;
  $("when").value = Math.round(clock);
  const word = stamp(moment()),
    note = clock > sky.now ? "if nothing happens" : clock === sky.now ? "the present" : "as it was";
  $("when").setAttribute("aria-valuetext", `${word}, ${note}`);
  $("date").replaceChildren(word, make("small", { text: note, className: clock > sky.now ? "then" : "" }));
  told();
  if (chosen && !playing) retell();
  else if (chosen && !$("life").hidden) life(chosen, chosen.a ? "strength" : "brightness");
  redraw();
}
function stop() {
  cancelAnimationFrame(playing);
  playing = 0;
  $("play").textContent = "▶";
  $("play").setAttribute("aria-label", "Play");
  retell();
}
function play() {
  if (playing) {
    stop();
    return;
  }
  if (clock >= sky.times.length - 1) setClock(0);
  $("play").textContent = "❚❚";
  $("play").setAttribute("aria-label", "Pause");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches,
    pace = (sky.times.length - 1) / 14000;
  let last = performance.now(),
    exact = clock;
  const tick = now => {
    exact += (now - last) * pace;
    last = now;
    const at = calm ? Math.floor(exact) : exact;
    if (at !== clock) setClock(at);
    if (exact >= sky.times.length - 1) {
      setClock(sky.times.length - 1);
      stop();
    } else playing = requestAnimationFrame(tick);
  };
  playing = requestAnimationFrame(tick);
}
$("play").addEventListener("click", play);
$("back").addEventListener("click", () => {
  if (playing) stop();
  setClock(sky.now);
});
$("when").addEventListener("input", () => {
  if (playing) stop();
  setClock(Number($("when").value));
});

function markNow() {
  $("time").hidden = sky.times.length < 2;
  if ($("time").hidden) return;
  $("when").max = sky.times.length - 1;
  const part = sky.now / (sky.times.length - 1);
  $("today").style.left = `calc(${part * 100}% + ${(8 - part * 16).toFixed(1)}px)`;
  setClock(sky.now);
}

// What the memory holds now, in place of what it held: the view, what is chosen and what is folded stay
function renew(told) {
  const was = chosen,
    empty = !nodes.length,
    names = new Set([...folded].map(group => groups[group].id));
  takeSky(told);
  takeGroups();
  folded.clear();
  for (const mark of groups) if (names.has(mark.id)) folded.add(mark.group);
  haystacks = null;
  over = null;
  chosen = was && (was.a ? links : was.members ? groups : nodes).find(each => each.id === was.id);
  if (playing) stop();
  markNow();
  legend();
  if (was && !chosen) choose(null);
  retell();
  if ($("search").value) look();
  if (empty) fit(nodes);
  redraw();
}

// Begin
function resize() {
  const first = !wide,
    middle = wide;
  dense = Math.min(3, devicePixelRatio || 1);
  wide = innerWidth;
  high = innerHeight;
  canvas.width = wide * dense;
  canvas.height = high * dense;
  painter.surface.width = canvas.width;
  painter.surface.height = canvas.height;
  if (first || Math.abs(middle - wide) > 200) fit(nodes);
  else draw();
}
takePainter();
readColours();
legend();
told();
if (innerWidth > 900 && innerHeight > 640) $("legend").open = true;
markNow();
dark.addEventListener("change", () => {
  readColours();
  legend();
  redraw();
});
addEventListener("resize", resize);
resize();
document.documentElement.dataset.ready = "yes";
