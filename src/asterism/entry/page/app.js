// The page: its parts, the space it is about, and what to do when something fails.
import { Failed, signIn, spaces, state } from "./api.js";
import { $, fill, make, quiet, say, title } from "./dom.js";
import { ask } from "./ask.js";
import { care } from "./care.js";
import { days } from "./days.js";
import { life } from "./life.js";
import { market } from "./market.js";
import { sky } from "./sky.js";
import { talk } from "./talk.js";
import { walk } from "./walk.js";

const PARTS = { ask: ["Ask", ask], sky: ["Sky", sky], days: ["Days", days], talk: ["Talk", talk], walk: ["Walk", walk], market: ["Market", market], care: ["Care", care] };
let leave = null; // what the part that is shown wants done when one goes

export async function tried(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failed && error.status === 401) return askForToken();
    say(error.hint ? `${error.message}. ${error.hint}` : error.message);
    if (!(error instanceof Failed)) throw error;
    return null;
  }
}

function askForToken() {
  const field = make("input", { type: "password", id: "token", autocomplete: "off", required: true });
  const form = make(
    "form",
    {
      className: "card",
      onsubmit: event => {
        event.preventDefault();
        tried(async () => {
          await signIn(field.value.trim());
          field.value = "";
          await begin();
        });
      },
    },
    title("Who is there?"),
    make("label", { htmlFor: "token", text: "Token" }),
    field,
    make("button", { type: "submit", text: "Come in" }),
    quiet("Whoever runs this service makes tokens: asterism token add --space NAME --may write"),
  );
  $("main").replaceChildren(form);
  field.focus();
  return null;
}

export function tell(...inside) {
  fill($("told"), inside);
  $("side").hidden = false;
  $("side").focus();
}
function shut() {
  if ($("side").hidden) return;
  $("side").hidden = true;
  $("main").focus();
}

async function show() {
  const [part, ...rest] = decodeURIComponent(location.hash.slice(1) || "ask").split("/");
  if (part === "link" && $("main").childElementCount) {
    await tried(() => life(rest.join("/")));
    return;
  }
  const [name, begin] = PARTS[part] || PARTS.ask;
  if (leave) leave();
  leave = null;
  $("side").hidden = true;
  document.title = `${name} · Asterism`;
  for (const each of $("parts").querySelectorAll("a"))
    if (each.hash === `#${part}`) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  const place = make("div", { className: `part ${part}` });
  $("main").replaceChildren(place);
  leave = (await tried(() => begin(place, rest.join("/")))) || null;
  if (part === "link") await tried(() => life(rest.join("/")));
}

async function begin() {
  state.spaces = await spaces();
  const names = state.spaces.map(each => each.name);
  const kept = new URLSearchParams(location.search).get("space");
  state.space = names.includes(kept) ? kept : (names[0] ?? "default");
  $("space").replaceChildren(...(names.length ? names : ["default"]).map(name => make("option", { value: name, text: name, selected: name === state.space })));
  await show();
}
$("parts").append(...Object.entries(PARTS).map(([key, [name]]) => make("li", {}, make("a", { href: `#${key}`, text: name }))));
$("space").addEventListener("change", () => {
  state.space = $("space").value;
  history.replaceState(null, "", `?space=${encodeURIComponent(state.space)}${location.hash}`);
  tried(show);
});
$("shut").addEventListener("click", shut);
document.addEventListener("keydown", event => {
  if (event.key === "Escape") shut();
});
addEventListener("hashchange", () => tried(show));
tried(begin).then(() => (document.documentElement.dataset.ready = "yes"));
