// What the pages ask the server for.

const token = document.querySelector('meta[name="token"]')?.content ?? "";

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error?.message ?? `the server answered ${response.status}`);
  return body;
}

export async function get(path) {
  return answer(await fetch(path, { headers: { accept: "application/json" } }));
}

export async function post(path, body = {}) {
  const headers = { "content-type": "application/json", "x-sparring-token": token };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

// The path of a run in the API, and in the pages.
export const api = (run) => `/api/runs/${encodeURIComponent(run)}`;
export const page = (run) => `/runs/${encodeURIComponent(run)}`;

// Listens for events: `query` names them, `handlers` has a function for each kind. A window that is
// hidden does not listen, and catches up when it is shown again.
export function listen(query, handlers) {
  let source = null;
  const open = () => {
    source = new EventSource(`/api/events?${query}`);
    source.onopen = () => status("live");
    source.onerror = () => status(source.readyState === EventSource.CLOSED ? "lost" : "waiting");
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => handle(JSON.parse(event.data)));
    }
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const change = () => {
    if (document.hidden) close();
    else if (!source || source.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener("visibilitychange", change);
  addEventListener("pagehide", close);
  addEventListener("pageshow", change);
  // A server that was started anew has closed the connection for good.
  setInterval(() => {
    if (source?.readyState === EventSource.CLOSED && !document.hidden) open();
  }, 5000);
  change();
}

const WORDS = { live: "live", waiting: "connecting\u2026", lost: "the server does not answer" };

function status(kind) {
  const place = document.querySelector("#live");
  if (!place || place.dataset.state === kind) return;
  place.dataset.state = kind;
  place.textContent = WORDS[kind];
}
