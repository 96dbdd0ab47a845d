// Ask: a question, and what the memory answers; what it was told can be corrected where it is read.
import { call } from "./api.js";
import { tell, tried } from "./app.js";
import { button, count, day, fill, make, percent, quiet, say, short, sum, title, words } from "./dom.js";

const SIGNALS = {
  keyword: "words asked for", covered: "words asked for, here or nearby", meaning: "meaning", kin: "words of the same kind", name: "its name",
  speaker: "who said it", when: "the time asked for", length: "its length", group: "its conversation", link: "what is linked to it",
};

export async function ask(place) {
  const question = make("input", { type: "search", id: "question", placeholder: "What do you want to know?", autocomplete: "off", "aria-label": "Question" });
  const answers = make("section", { id: "answers", "aria-label": "Answers", "aria-live": "polite" });
  const fact = make("textarea", { id: "fact", rows: 2, "aria-label": "Something to remember", placeholder: "I moved to Lisbon." });
  const open = make("section", { id: "open", "aria-label": "Not answered yet" });
  const search = async event => {
    event?.preventDefault();
    if (question.value.trim()) await tried(() => answer(question.value.trim(), answers));
  };
  place.append(
    make("form", { className: "asking", onsubmit: search }, question, make("button", { type: "submit", text: "Ask" })),
    answers,
    make(
      "form",
      {
        className: "card telling",
        onsubmit: event => {
          event.preventDefault();
          tried(async () => {
            if (!fact.value.trim()) return;
            const told = await call("learn", { content: fact.value.trim() });
            say({ new: "Remembered.", again: "Remembered once more.", duplicate: "That is known already." }[told.status] || "Remembered.");
            fact.value = "";
            if (question.value.trim()) await search();
          });
        },
      },
      make("label", { htmlFor: "fact", text: "Tell it something" }),
      fact,
      make("button", { type: "submit", text: "Remember" }),
    ),
    open,
  );
  question.focus();
  await unanswered(open);
}

async function answer(query, place) {
  const told = await call("recall", { query });
  const clear = told.hits.filter(hit => hit.probability >= 0.01);
  fill(
    place,
    told.unsure ? make("p", { className: "unsure", text: clear.length ? "Nothing I was told surely answers this. Nearest to it:" : "Nothing I was told answers this." }) : null,
    make("ol", {}, clear.map(hit => make("li", {}, card(hit, query)))),
  );
  if (!clear.length) place.append(quiet("Tell it below, and ask again."));
}

const context = hit =>
  [
    hit.speaker,
    hit.session,
    hit.at ? (hit.times > 1 ? `${count(hit.times, "time")}, last ${day(hit.at)}` : day(hit.at)) : "",
    hit.valid_until ? `until ${day(hit.valid_until)}` : hit.current === false ? "no longer" : "",
    hit.source,
    words(hit.kind),
  ]
    .filter(Boolean)
    .join(" · ");

function card(hit, query) {
  const made = make("article", { className: hit.current === false ? "card former" : "card" });
  const bar = make("meter", { min: 0, max: 1, value: hit.probability, "aria-label": `answers with ${percent(hit.probability)}` });
  const mine = hit.kind === "block";
  made.append(
    make("p", { className: "text", text: hit.text || hit.name }),
    make("p", { className: "quiet" }, context(hit)),
    hit.conflicts.length
      ? make("p", { className: "conflict" }, "Cannot both hold: ", hit.conflicts.map(other => `“${other.text}” (${day(other.at)}${other.later ? ", told later" : ""})`).join("; "))
      : "",
    make(
      "div",
      { className: "row" },
      bar,
      make("span", { className: "quiet", text: `answers: ${percent(hit.probability)}` }),
      button("Why", () => tell(title("Why this answer"), score(hit))),
      mine ? button("Right", () => judged(hit, 1)) : null,
      mine ? button("Wrong", () => judged(hit, 0)) : null,
      mine ? button("Edit", () => edit(hit, made, query)) : null,
      mine ? button("Forget", () => forget(hit, made)) : null,
    ),
  );
  return made;
}
const score = hit =>
  sum({ subject: "this answer", number: "score", total: hit.score, lines: Object.entries(hit.signals).map(([name, value]) => ({ text: SIGNALS[name] || words(name), value })) });
const judged = (hit, signal) => tried(async () => {
  await call("outcome", { ids: [hit.id], signal });
  say(signal ? "Noted: it was right." : "Noted: it was wrong.");
});
function edit(hit, made, query) {
  const field = make("textarea", { value: hit.text, rows: 2, "aria-label": "Corrected text" });
  made.replaceChildren(
    make("form", { onsubmit: event => {
      event.preventDefault();
      tried(async () => {
        await call("edit", { id: hit.id, content: field.value.trim() });
        say("Corrected.");
        await answer(query, made.closest("section"));
      });
    } }, field, make("button", { type: "submit", text: "Correct it" }), button("Leave it", () => made.replaceWith(card(hit, query)))),
  );
  field.focus();
}
const forget = (hit, made) => tried(async () => {
  await call("forget", { id: hit.id });
  const before = [...made.childNodes];
  made.replaceChildren(
    quiet(`Forgotten: ${hit.text}`),
    button("Undo", () => tried(async () => {
      await call("restore", { id: hit.id });
      made.replaceChildren(...before);
      say("It is back.");
    })),
  );
});

async function unanswered(place) {
  const told = await call("unanswered");
  if (!told.unanswered.length) return;
  place.append(title("Asked, and not answered yet"), make("ul", {}, told.unanswered.map(each => make("li", { text: `${each.query} (${day(each.at)})` }))));
}
