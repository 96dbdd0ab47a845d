// Talking with the service: one call for every command of the command line, with the same answers.
const READS = new Set(["links", "nodes", "show", "blocks", "stats", "predictions", "history", "conflicts", "unanswered", "export"]);
export const state = { space: null, spaces: [] };

export class Failed extends Error {
  constructor(told, status) {
    super(told.message || `the service answered ${status}`);
    this.hint = told.hint || "";
    this.error = told.error || "";
    this.status = status;
  }
}

async function answered(response) {
  const text = await response.text();
  let told = {};
  try {
    told = text ? JSON.parse(text) : {};
  } catch {
    told = { message: text.slice(0, 200) };
  }
  if (!response.ok) throw new Failed(told, response.status);
  return told;
}
const path = command => `/v1/spaces/${encodeURIComponent(state.space)}/${command.split(" ").map(encodeURIComponent).join("/")}`;
const address = (command, told) => {
  const given = Object.entries(told).flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map(each => [key, each]));
  return given.length ? `${path(command)}?${new URLSearchParams(given)}` : path(command);
};

// Call a command of this space: call("recall", { query: "..." })
export async function call(command, told = {}) {
  if (READS.has(command)) return answered(await fetch(address(command, told)));
  return answered(
    await fetch(path(command), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told) }),
  );
}
// Send a file to a command that reads one
export async function send(command, file, media, told = {}) {
  return answered(await fetch(address(command, told), { method: "POST", headers: { "Content-Type": media }, body: file }));
}
export const text = async (command, told = {}) => {
  const response = await fetch(address(command, told));
  if (!response.ok) throw new Failed({}, response.status);
  return response.text();
};
export const link = (command, told = {}) => address(command, told);
export const spaces = async () => (await answered(await fetch("/v1/spaces"))).spaces;
export const signIn = async token =>
  answered(await fetch("/v1/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } }));

// What came, as it comes; gives what ends it
export function follow(told) {
  const source = new EventSource(`/v1/spaces/${encodeURIComponent(state.space)}/events`);
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(told, 800);
  };
  for (const kind of ["item", "erased", "reset"]) source.addEventListener(kind, later);
  return () => {
    clearTimeout(waiting);
    source.close();
  };
}
