// Walk: an exploration, replayed step by step with its scores and branches.
import { call } from "./api.js";
import { tried } from "./app.js";
import { button, make, quiet, short, title, words } from "./dom.js";

export async function walk(place) {
  const query = make("input", { type: "search", "aria-label": "What to look for", placeholder: "What to look for" });
  const intention = make("input", { "aria-label": "What it is for", placeholder: "What it is for (if you like)" });
  const keep = make("input", { type: "checkbox", id: "keep" });
  const found = make("section", { "aria-live": "polite" });
  place.append(
    make(
      "form",
      {
        className: "asking",
        onsubmit: event => {
          event.preventDefault();
          tried(async () => {
            if (!query.value.trim()) return;
            found.replaceChildren(quiet("Walking …"));
            const told = await call("explore", { query: query.value.trim(), ...(intention.value.trim() ? { intention: intention.value.trim() } : {}), no_learn: !keep.checked });
            found.replaceChildren(result(told), replay(told.trace || []));
          });
        },
      },
      query, intention, make("label", { htmlFor: "keep" }, keep, " leave what was learnt"), make("button", { type: "submit", text: "Walk" }),
    ),
    found,
  );
  query.focus();
}

const result = told =>
  make(
    "section",
    { className: "card" },
    title("Found"),
    told.found.length
      ? make("ol", {}, told.found.slice(0, 12).map(each => make("li", {}, `${each.id} (${words(each.kind)}), ${short(each.alignment)}, `, make("span", { className: "quiet", text: `${each.path.length} steps away` }))))
      : quiet("Nothing that fits."),
  );

function replay(steps) {
  let at = 0;
  const told = make("div", { "aria-live": "polite" });
  const where = make("input", { type: "range", min: 0, max: Math.max(0, steps.length - 1), value: 0, "aria-label": "Step", oninput: () => go(Number(where.value)) });
  const go = to => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    where.value = at;
    const step = steps[at];
    told.replaceChildren(
      title(`Step ${at + 1} of ${steps.length}`),
      make("dl", {}, Object.entries(step).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length)).flatMap(([key, value]) => [make("dt", { text: words(key) }), make("dd", { text: typeof value === "number" ? short(value) : typeof value === "object" ? JSON.stringify(value) : value })])),
    );
  };
  if (!steps.length) return quiet("No step was taken.");
  go(0);
  return make("section", { className: "card" }, make("div", { className: "row" }, button("◀", () => go(at - 1), { "aria-label": "Step back" }), where, button("▶", () => go(at + 1), { "aria-label": "Next step" })), told);
}
