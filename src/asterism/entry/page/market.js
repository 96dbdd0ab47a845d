// Market: what prices a symbol remembers, as a heat map of price by time, and the levels with their evidence.
import { call } from "./api.js";
import { tell, tried } from "./app.js";
import { button, count, day, make, quiet, short, sum, title, words } from "./dom.js";

export async function market(place, chosen) {
  const symbols = await call("market symbols", { limit: 1000 });
  if (!symbols.length) {
    place.append(quiet("No market has been fed. The command line reads trades, books, prices and liquidations: asterism market feed FILES"));
    return;
  }
  place.append(make("ul", { className: "chips" }, symbols.map(each => make("li", {}, make("a", { href: `#market/${each.symbol}`, text: `${each.symbol} (${count(each.levels, "level")})` })))));
  const symbol = symbols.find(each => each.symbol === chosen) || symbols[0];
  const [levels, map] = await Promise.all([call("market levels", { symbol: symbol.symbol, limit: 40 }), call("market replay", { symbol: symbol.symbol, steps: 160, most: 60 })]);
  place.append(
    make("section", { className: "card" }, title(`${symbol.symbol}: what it remembers, through time`), heat(map), quiet(`${count(symbol.events, "event")} until ${day(symbol.latest)}. The brighter, the stronger.`)),
    make(
      "section",
      { className: "card" },
      title("Levels, strongest first"),
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ["price", "strength", "why it is there", "visits", "rejected", "broken", ""].map(text => make("th", { text, scope: "col" })))),
        make(
          "tbody",
          {},
          levels.map(level =>
            make("tr", {}, [level.price, short(level.strength), words(level.reason), level.visits, level.rejections, level.breaks].map(text => make("td", { text })),
              make("td", {}, button("Why", () => tried(async () => tell(title(level.id), sum(await call("why", { ids: [level.id] }))))))),
          ),
        ),
      ),
    ),
  );
}

function heat(map) {
  const canvas = make("canvas", { className: "heat", role: "img", "aria-label": "Heat map of price by time" });
  canvas.width = Math.max(1, map.times.length);
  canvas.height = Math.max(1, map.prices.length);
  const pen = canvas.getContext("2d"),
    order = map.prices.map((price, i) => [price, i]).sort(([a], [b]) => b - a);
  order.forEach(([, i], y) =>
    map.strengths[i].forEach((value, x) => {
      pen.fillStyle = `hsl(${40 - 30 * value} 90% ${8 + 52 * value}%)`;
      pen.fillRect(x, y, 1, 1);
    }),
  );
  return canvas;
}
