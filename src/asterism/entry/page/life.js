// A link's life: its curve with every item on it, the arithmetic, and what one can say about it.
import { call } from "./api.js";
import { tell, tried } from "./app.js";
import { button, curve, make, quiet, say, short, sum, title, words } from "./dom.js";

const KINDS = ["resonance", "tension", "causation", "growth_edge", "shadow_mirror", "blocks"];

export async function life(id) {
  const why = await call("why", { ids: [id] });
  const [a, b] = id.split("#")[0].split("~");
  const observed = !id.includes("#");
  const link = observed ? await call("link", { a, b }) : null;
  const change = (command, told, done) => tried(async () => {
    await call(command, { a, b, ...told });
    say(done);
    await life(id);
  });
  const kind = make("select", { "aria-label": "Kind", onchange: () => change("assign-type", { kind: kind.value }, "It is that now.") }, KINDS.map(each => make("option", { value: each, text: words(each), selected: link?.kind === each })));
  const points = through(why);
  tell(
    title(`${a} and ${b}`),
    link ? quiet([words(link.kind), link.state.toLowerCase(), `strength ${short(link.strength)}`, `confidence ${short(link.confidence)}`].join(" · ")) : null,
    points.length > 1 ? curve(points, { label: `strength from ${points[0].text} to ${points.at(-1).text}`, high_word: "1" }) : quiet("Too few items for a curve."),
    observed
      ? make("div", { className: "row" }, button("It holds", () => change("observe", { kind: "user_confirms" }, "Confirmed.")), button("It does not", () => change("deny", {}, "Denied.")), kind)
      : null,
    sum(why),
  );
}
// Lines bear their day: what has been added up to each is how strong the link was
function through(why) {
  let total = 0;
  return why.lines
    .map(line => [/^(\d{4}-\d\d-\d\d)/.exec(line.text), line])
    .filter(([dated]) => dated)
    .map(([dated, line]) => {
      total += line.value;
      return { at: Date.parse(dated[1]), value: Math.max(0, total), text: `${line.text}: ${short(total)}` };
    });
}
