// Days: today's values in a few taps, their series, what goes with what, and what was expected.
import { call } from "./api.js";
import { tried } from "./app.js";
import { button, curve, day, make, percent, quiet, say, short, title, today, words } from "./dom.js";

export async function days(place) {
  const [stars, missing] = await Promise.all([call("diary show", { limit: 1000 }), call("diary missing", {})]);
  place.append(entry(place, stars, missing), await together(stars), await expected(stars), series(stars));
}
const afresh = place => {
  place.replaceChildren();
  return days(place);
};

function entry(place, stars, missing) {
  const told = new Map(); // what was touched; nothing else is sent
  const date = make("input", { type: "date", value: today(), max: today(), "aria-label": "Day" });
  const fields = stars.map(star => field(star, told));
  const name = make("input", { placeholder: "Something new, like Headache", "aria-label": "Name of something new" });
  const value = make("input", { inputMode: "decimal", placeholder: "its value", "aria-label": "Value of something new", size: 8 });
  const save = () =>
    tried(async () => {
      const values = [...told].map(([id, each]) => `${id}=${each}`);
      if (name.value.trim() && value.value.trim()) values.push(`${name.value.trim()}=${value.value.trim()}`);
      if (!values.length) return say("Touch a value first.");
      await call("diary add", { values, ...(date.value === today() ? {} : { at: date.value }) });
      say(`Told ${values.length} for ${date.value}.`);
      await afresh(place);
    });
  const late = missing.stars.filter(star => star.today).length;
  return make(
    "section",
    { className: "card", "aria-label": "Tell a day" },
    make("div", { className: "row" }, title("How was it?"), date),
    stars.length && late ? quiet(`${late} of ${stars.length} not told today.`) : null,
    stars.length ? null : quiet("Begin with what you care about: sleep, mood, coffee. A CSV goes in under Care."),
    make("div", { className: "values" }, fields),
    make("div", { className: "row" }, name, value),
    button("Save the day", save, { className: "main" }),
  );
}

function field(star, told) {
  const last = star.values.at(-1),
    whole = star.high !== null && star.high - star.low <= 12 && star.values.every(each => Number.isInteger(each.value)),
    [low, high] = star.high === null ? [0, 1] : [star.low, star.high];
  const shown = make("output", { text: "–" });
  const choose = value => {
    told.set(star.id, value);
    shown.textContent = Math.round(value * 100) / 100;
  };
  const choices = whole
    ? make(
        "div",
        { className: "choices", role: "radiogroup", "aria-label": star.name },
        Array.from({ length: high - low + 1 }, (_, n) => low + n).map(value =>
          make("button", {
            type: "button",
            role: "radio",
            "aria-checked": "false",
            text: value,
            on: event => {
              for (const each of event.target.parentNode.children) each.setAttribute("aria-checked", String(each === event.target));
              choose(value);
            },
          }),
        ),
      )
    : make("input", {
        type: "range", className: "untold", title: `from ${low} to ${high}`, min: low, max: high, step: (high - low) / 100, value: last ? last.value : (low + high) / 2, "aria-label": star.name,
        oninput: event => {
          event.target.className = "";
          choose(Number(event.target.value));
        },
      });
  return make("div", { className: "value" }, make("span", { className: "name", text: star.name }), choices, shown);
}

function series(stars) {
  return make(
    "section",
    { "aria-label": "Series" },
    stars.length ? title("Through time") : null,
    make(
      "div",
      { className: "grid" },
      stars.map(star =>
        make(
          "figure",
          { className: "card" },
          make("figcaption", {}, make("b", { text: star.name }), ` ${star.values.length} days, last ${star.values.at(-1)?.day ?? ""}`),
          curve(star.values.map(({ day, value }) => ({ at: Date.parse(day), value, text: `${day}: ${value}` })), {
            low: star.low ?? 0, high: star.high ?? 1, high_word: String(star.high ?? 1),
            label: `${star.name}, ${star.values.length} values from ${star.values[0]?.day} to ${star.values.at(-1)?.day}`,
          }),
        ),
      ),
    ),
  );
}

async function together(stars) {
  const named = new Map(stars.map(star => [star.id, star.name]));
  const links = (await call("links", { limit: 200 })).filter(link => link.family === "connection" && named.has(link.a) && named.has(link.b));
  const sentence = link => {
    const [a, b] = [named.get(link.a), named.get(link.b)];
    if (link.direction === "a_to_b") return `${a} drives ${b}`;
    if (link.direction === "b_to_a") return `${b} drives ${a}`;
    return link.kind === "tension" ? `${a} goes against ${b}` : `${a} goes with ${b}`;
  };
  return make(
    "section",
    { className: "card", "aria-label": "What goes with what" },
    title("What goes with what"),
    links.length
      ? make("ul", {}, links.slice(0, 12).map(link => make("li", {}, make("a", { href: `#link/${link.id}`, text: sentence(link) }), ` (${link.state.toLowerCase() === "dormant" ? "asleep, " : ""}strength ${short(link.strength)})${link.holds === false ? ", no longer supported by values" : ""}`)))
      : quiet("Nothing yet: a link needs about three weeks of values, or that you tell it."),
    button("Look again", event => tried(async () => {
      event.target.disabled = true;
      const found = await call("discover", {});
      event.target.disabled = false;
      const new_ = found.pairs.filter(pair => pair.written).length;
      say(new_ ? `${new_} found; open this part again to see them.` : "Nothing new.");
    })),
  );
}

async function expected(stars) {
  const told = await call("predictions");
  const named = new Map(stars.map(star => [star.id, star.name]));
  const open = (told.expectations || []).slice(0, 8);
  return make(
    "section",
    { className: "card", "aria-label": "Expected" },
    title("What is expected"),
    open.length
      ? make("ul", {}, open.map(each => make("li", { text: `${named.get(each.star) ?? each.star} ${each.sign > 0 ? "up" : "down"} on ${day(each.expected_at)}: ${percent(each.probability)}` })))
      : quiet("Nothing: an expectation is told once twenty like it are settled and beat chance."),
  );
}
