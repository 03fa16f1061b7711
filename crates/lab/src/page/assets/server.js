// What the pages ask the server for.

const token = document.querySelector('meta[name="token"]')?.content ?? "";

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(body.error?.message ?? `the server answered ${status}`), { status, ...body.error });
  }
  return body;
}

// A browser says only that fetching failed.
const ask = (path, options) => fetch(path, options).catch(() => {
  throw new Error("the server does not answer; start it again, then reload this page");
});

export async function get(path) {
  return answer(await ask(path, { headers: { accept: "application/json" } }));
}

export async function post(path, body = {}) {
  const headers = { "content-type": "application/json", "x-sparring-token": token };
  return answer(await ask(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

// The path of a run in the API, and in the pages.
export const api = (run) => `/api/runs/${encodeURIComponent(run)}`;
export const page = (run) => `/runs/${encodeURIComponent(run)}`;

// Listens for events: `query` names them, `handlers` has a function for each kind, and `refused` gets
// the error of a server that knows none of them. A window that is hidden does not listen, and catches
// up when it is shown again.
export function listen(query, handlers, refused = () => {}) {
  let source = null;
  let isHeard = false;
  let isRefused = false;
  const address = `/api/events?${query}`;
  const open = () => {
    source = new EventSource(address);
    source.onopen = () => {
      isHeard = true;
      status("live");
    };
    source.onerror = async () => {
      const isClosed = source?.readyState === EventSource.CLOSED;
      status(isClosed ? "lost" : "waiting");
      const error = isClosed && !isHeard ? await refusal(address) : null;
      if (!error) return;
      isRefused = true;
      status("refused");
      refused(error);
    };
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
    else if (isRefused) return;
    else if (!source || source.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener("visibilitychange", change);
  addEventListener("pagehide", close);
  addEventListener("pageshow", change);
  // A restarted server has closed the connection for good.
  setInterval(() => {
    if (source?.readyState === EventSource.CLOSED && !document.hidden && !isRefused) open();
  }, 5000);
  change();
}

// Why the server refuses events, which a browser does not say; null where it does not refuse them.
async function refusal(address) {
  const response = await fetch(address).catch(() => null);
  if (response?.status !== 404) {
    response?.body.cancel();
    return null;
  }
  return answer(response).catch((error) => error);
}

const WORDS = { live: "live", waiting: "connecting\u2026", lost: "the server does not answer", refused: "" };

function status(kind) {
  const place = document.querySelector("#live");
  if (!place || place.dataset.state === kind) return;
  place.dataset.state = kind;
  place.textContent = WORDS[kind];
}
