// Small things that every part uses: elements, words, numbers, times.
export const $ = id => document.getElementById(id);

export function make(tag, told, ...inside) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(told || {})) {
    if (key === "text") made.textContent = value;
    else if (key === "on") made.addEventListener("click", value);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.flat().filter(each => each !== null && each !== undefined && each !== false));
  return made;
}
const NS = "http://www.w3.org/2000/svg";
export function draw(tag, told, ...inside) {
  const made = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(told || {}))
    if (key === "text") made.textContent = value;
    else made.setAttribute(key, value);
  made.append(...inside.flat());
  return made;
}
export const fill = (place, ...inside) => place.replaceChildren(...inside.flat().filter(each => each !== null && each !== undefined && each !== false));
export const button = (text, on, more) => make("button", { type: "button", text, on, ...more });
export const quiet = text => make("p", { className: "quiet", text });
export const title = text => make("h2", { text });
export const words = text => text.replace(/_/g, " ");
export const short = value => (value === null ? "" : value.toFixed(Math.abs(value) < 0.01 && value ? 4 : 2));
export const signed = value => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(4);
export const percent = share => `${Math.round(100 * share)} %`;
export const day = iso => (iso || "").slice(0, 10);
export const count = (many, word) => `${many.toLocaleString("en")} ${word}${many === 1 ? "" : "s"}`;
export function today() {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
}

let told = 0;
export function say(text) {
  const place = $("said");
  place.textContent = text;
  place.className = text ? "seen" : "";
  clearTimeout(told);
  told = setTimeout(() => (place.className = ""), 6000);
}

// A sum, line by line: every number of the memory can be asked for one
export function sum(why) {
  const cell = value => make("td", { className: `number ${value < 0 ? "minus" : "plus"}`, text: signed(value) });
  return make(
    "table",
    { className: "sum" },
    make("caption", { text: `Why ${why.subject} is ${short(why.total)}` }),
    make("tbody", {}, why.lines.map(line => make("tr", {}, make("td", { text: line.text }), cell(line.value)))),
    make("tfoot", {}, make("tr", {}, make("td", { text: `= ${why.number}` }), make("td", { className: "number", text: signed(why.total) }))),
    (why.notes || []).length ? make("tbody", {}, why.notes.map(text => make("tr", {}, make("td", { className: "quiet", text, colSpan: 2 })))) : null,
  );
}

// A curve of values through time, with a dot for each; what it is in words for whoever cannot see it
export function curve(points, { low = 0, high = 1, label = "", high_word = "" } = {}) {
  const wide = 320,
    tall = 90,
    first = points.length ? points[0].at : 0,
    last = points.length ? points[points.length - 1].at : 1;
  const x = at => 6 + ((at - first) / Math.max(last - first, 1)) * (wide - 12),
    y = value => tall - 8 - ((value - low) / Math.max(high - low, 1e-9)) * (tall - 18);
  return draw(
    "svg",
    { viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": label, class: "curve" },
    draw("path", { class: "axis", d: `M4 ${tall - 8}H${wide - 4}` }),
    draw("path", { class: "line", d: points.map(({ at, value }, n) => `${n ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("") }),
    points.map(({ at, value, text }) =>
      draw("circle", { cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: 2.4 }, draw("title", { text: text || `${value}` })),
    ),
    high_word ? [draw("text", { x: 6, y: 10, text: high_word })] : [],
  );
}
