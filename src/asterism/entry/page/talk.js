// Talk: transcripts. Upload one, read it line by line, see which line answers which, and what nobody answered.
import { call, send } from "./api.js";
import { tried } from "./app.js";
import { button, count, draw, make, quiet, say, short, title, words } from "./dom.js";

export async function talk(place, chosen) {
  const moments = (await call("nodes", { kinds: ["moment"], limit: 1000 })).filter(node => node.kind === "moment");
  const sessions = Map.groupBy ? Map.groupBy(moments, session) : grouped(moments);
  const upload = make("input", { type: "file", id: "upload", accept: ".txt,.json,.jsonl,.csv,.vtt,.srt" });
  place.append(
    make(
      "section",
      { className: "card" },
      make("label", { htmlFor: "upload", text: "Read a transcript" }),
      upload,
      button("Read it", () => tried(async () => {
        const file = upload.files[0];
        if (!file) return say("Choose a file first.");
        const told = await send("transcript read", file, media(file.name), { session: file.name.replace(/\.[^.]+$/, "") });
        say(`Read ${count(told.lines ?? 0, "line")}.`);
        place.replaceChildren();
        await talk(place);
      })),
      quiet("Lines “Name: text”, JSON, CSV, WebVTT, SRT, exports of WhatsApp and Discord."),
    ),
    sessions.size
      ? make("ul", { className: "chips" }, [...sessions].map(([name, lines]) => make("li", {}, make("a", { href: `#talk/${name}`, text: `${name} (${lines.length})` }))))
      : quiet("No conversation has been read yet."),
  );
  if (sessions.has(chosen)) place.append(await lines(chosen, sessions.get(chosen)));
}
const session = node => node.id.slice(0, node.id.lastIndexOf("/"));
const number = node => Number(node.id.slice(node.id.lastIndexOf("/") + 1));
function grouped(moments) {
  const found = new Map();
  for (const node of moments) found.set(session(node), [...(found.get(session(node)) || []), node]);
  return found;
}
const media = name => ({ csv: "text/csv", jsonl: "application/x-ndjson", json: "application/octet-stream", vtt: "text/vtt" })[name.split(".").pop()] || "text/plain";

async function lines(name, moments) {
  const links = (await call("transcript links", { limit: 1000 })).filter(each => each.session_id.toLowerCase().replace(/[^a-z0-9]+/g, "-") === name.toLowerCase());
  const rows = [...moments].sort((a, b) => number(a) - number(b));
  const list = make("ol", { className: "lines" }, rows.map(node => make("li", { id: `line-${number(node)}`, tabIndex: 0 }, make("span", { className: "quiet", text: number(node) }), ` ${node.text}`)));
  const told = make("p", { className: "quiet", text: `${count(links.length, "link")} between lines. Point at a line to see what it led to.` });
  const show = at => {
    for (const each of list.children) each.className = "";
    const mine = links.filter(link => link.intent_anchor_index === at || link.consequence_anchor_index === at);
    for (const link of mine) {
      for (const [line, sort] of [[link.intent_anchor_index, "intent"], [link.consequence_anchor_index, "consequence"]])
        list.querySelector(`#line-${line}`)?.classList.add(sort);
    }
    told.textContent = mine.length
      ? mine.map(link => `“${link.intent_text}” (${words(link.intent_type)}, ${link.actor}) → “${link.consequence_text}” (${words(link.consequence_type)}), score ${short(link.score)}`).join("; ")
      : "Nothing answers this line, and it answers none.";
  };
  for (const item of list.children) {
    const at = Number(item.id.slice(5));
    item.addEventListener("pointerenter", () => show(at));
    item.addEventListener("focus", () => show(at));
  }
  const page = make("section", { className: "card" }, title(name), told, list);
  return page;
}
