// Care: what is kept and where it came from, files in and out, whether all is well, and erasing with a look before.
import { call, link, send, state } from "./api.js";
import { tried } from "./app.js";
import { button, count, day, make, quiet, say, title, words } from "./dom.js";

export async function care(place) {
  place.append(spaces(), await sources(), files(), health(), erasing());
}

const spaces = () =>
  make("section", { className: "card" }, title("Spaces"), make("ul", {}, state.spaces.map(each => make("li", { text: `${each.name}: ${count(each.items, "item")}${each.last_at ? `, last ${day(each.last_at)}` : ""}` }))));

async function sources() {
  const told = await call("stats");
  const total = counts => Object.values(counts).reduce((sum, many) => sum + many, 0);
  const kept = [["items", total(told.items)], ["stars", total(told.stars)], ["links", total(told.links)]];
  const lost = Object.entries(told).filter(([key, value]) => value > 0 && /dropped|cut|capped|cancelled|set_aside/.test(key));
  const rows = [...kept, ...lost, ["size_bytes", told.size_bytes]];
  return make("section", { className: "card" }, title("What is kept"), make("dl", {}, rows.flatMap(([key, value]) => [make("dt", { text: words(key) }), make("dd", { text: value.toLocaleString("en") })])));
}

function files() {
  const chosen = make("input", { type: "file", id: "file", accept: ".csv,.jsonl,.gz" });
  const kind = make("select", { "aria-label": "What it is" }, [["diary read", "a diary (CSV)"], ["import", "a ledger that export wrote (JSON lines)"], ["learn", "facts (JSON lines, CSV or text)"]].map(([value, text]) => make("option", { value, text })));
  return make(
    "section",
    { className: "card" },
    title("Files in and out"),
    make("div", { className: "row" }, make("label", { htmlFor: "file", text: "File" }), chosen, kind, button("Take it in", () => tried(async () => {
      const file = chosen.files[0];
      if (!file) return say("Choose a file first.");
      await send(kind.value, file, { csv: "text/csv", jsonl: "application/x-ndjson", gz: "application/gzip" }[file.name.split(".").pop()] || "text/plain");
      say("Taken in.");
    }))),
    make("ul", { className: "chips" }, [["jsonl", "the ledger"], ["html", "the sky as a page"], ["graphml", "GraphML"]].map(([format, text]) => make("li", {}, make("a", { href: link("export", { format }), text, download: `${state.space}.${format}` })))),
  );
}

function health() {
  const said = make("p", { className: "quiet", "aria-live": "polite" });
  return make(
    "section",
    { className: "card" },
    title("Is all well?"),
    make("div", { className: "row" },
      button("Verify", () => tried(async () => {
        const told = await call("verify");
        said.textContent = told.ok ? "The ledger was replayed, and everything agrees." : `Not well: ${told.reason || JSON.stringify(told)}`;
      })),
      button("Doctor", () => tried(async () => {
        const told = await call("doctor");
        said.textContent = told.findings.length ? told.findings.map(each => `${each.message} ${each.hint || ""}`).join("; ") : `Nothing found. Looked at: ${told.checked.join(", ")}.`;
      }))),
    said,
  );
}

function erasing() {
  const subject = make("input", { "aria-label": "What to erase", placeholder: "An id or a name; name:WORDS for all that names it" });
  const shown = make("div", { "aria-live": "polite" });
  return make(
    "section",
    { className: "card" },
    title("Erase for good"),
    make("div", { className: "row" }, subject, button("Look first", () => tried(async () => {
      const told = await call("erase", { subject: subject.value.trim(), dry_run: true });
      const items = Object.values(told.items).reduce((a, b) => a + b, 0);
      shown.replaceChildren(
        make("p", { text: `${count(items, "item")} would go: ${Object.entries(told.items).map(([kind, many]) => `${many} ${words(kind)}`).join(", ")}.` }),
        told.nodes.length ? make("p", { text: `With them these nodes: ${told.nodes.slice(0, 20).join(", ")}.` }) : "",
        button(`Erase ${count(items, "item")}`, () => tried(async () => {
          await call("erase", { subject: told.subject, yes: true });
          shown.replaceChildren(quiet("Erased, and no merge brings it back."));
        }), { className: "danger" }),
      );
    }))),
    shown,
  );
}
