// What all views share. Texts of people and models reach the document only through text nodes.

const VIEWS = [
  ["runs", "Runs"],
  ["coverage", "Coverage"],
  ["candidates", "Candidates"],
  ["search", "Search"],
];
// Relative to <prefix>/<view>: works under any base path of Airflow.
const AIRFLOW = "..";

/** What went wrong and what to do, from the server. `status` is 0 when it did not answer. */
export class PageError extends Error {
  constructor(status, what, next) {
    super(what);
    this.status = status;
    this.what = what;
    this.next = next;
  }
}

/**
 * An element with attributes and children. A string or number becomes a text node, never HTML;
 * null and false are left out. `on…` takes a listener, `dataset` an object.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Puts `children` in place of what `node` holds. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

// --- asking the server -------------------------------------------------------------------------

/** JSON of a route of this page, e.g. `get("api/runs", {before: id})`. Throws PageError. */
export function get(path, query = {}, options = {}) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return request(text ? `${path}?${text}` : path, options);
}

let _me = null;

/** `{user, may_act, actions_dag, cannot_erase}` of the signed-in user, fetched once. */
export function me() {
  if (_me === null) {
    _me = get("api/me");
    _me.catch(() => { _me = null; });
  }
  return _me;
}

/**
 * Starts DAG `candidate_actions` through Airflow's own API, in the name of the signed-in user.
 * Returns Airflow's DagRun. Throws PageError: 403 for who may not.
 */
export async function act(params) {
  const { actions_dag: dag } = await me();
  return request(`${AIRFLOW}/api/v2/dags/${encodeURIComponent(dag)}/dagRuns`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ logical_date: null, conf: params }),
  });
}

/** State of a DagRun of `candidate_actions`: queued, running, success or failed. */
export async function actionState(runId) {
  const { actions_dag: dag } = await me();
  const path = `${AIRFLOW}/api/v2/dags/${encodeURIComponent(dag)}/dagRuns/${encodeURIComponent(runId)}`;
  return (await request(path)).state;
}

/**
 * Starts an action and shows in `place` how it goes until it has ended. `words(dagRun)` are shown of one
 * that succeeded; returns whether it did.
 */
export async function runAction(params, place, words) {
  try {
    fill(place, el("p", { class: "notice" }, "Asking Airflow…"));
    const { actions_dag: dag } = await me();
    const { dag_run_id: id } = await act(params);
    const link = el("a", { href: dagRunUrl(dag, id), target: "_top" }, "DAG run");
    for (;;) {
      const state = await actionState(id);
      if (state === "failed") {
        fill(place, el("div", { class: "error", role: "alert" }, "The action failed. Open the log of its ", link, "."));
        return false;
      }
      const outcome = state === "success" ? words(id) : `Started: ${state}.`;
      fill(place, el("p", { class: "notice" }, outcome, " ", link));
      if (state === "success") return true;
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  } catch (error) {
    fill(place, errorBlock(error));
    return false;
  }
}

/** Address of a DagRun in Airflow's UI; open it with target "_top". */
export function dagRunUrl(dag, runId) {
  return `${AIRFLOW}/dags/${encodeURIComponent(dag)}/runs/${encodeURIComponent(runId)}`;
}

// Airflow shows this page in a frame that may not navigate the window around it (nor open windows or
// dialogs of the browser). So a click on a link to "_top" is handed to a link of that window.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[target=_top]") : null;
  if (link === null || window.parent === window || event.defaultPrevented) return;
  event.preventDefault();
  const outer = window.parent.document.createElement("a");
  outer.href = link.href;
  window.parent.document.body.append(outer);
  outer.click();
  outer.remove();
});

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new PageError(0, "Airflow's API server does not respond.",
      "Check that it runs and that you are connected. This page retries.");
  }
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw failure(response.status, body);
}

function failure(status, body) {
  if (status === 401) {
    return new PageError(401, "You are signed out.", "Reload Airflow and sign in again.");
  }
  if (status === 403) {
    return new PageError(403, "Permission denied.",
      "Ask an administrator for permission to edit the DAG.");
  }
  if (body && body.what) return new PageError(status, body.what, body.next || "");
  if (body && typeof body.detail === "string") return new PageError(status, body.detail, "");
  // Airflow's login reads its own database and comes first: without it, this page sends no request.
  if (status >= 500) {
    return new PageError(status, `Airflow's API server failed (HTTP status ${status}).`,
      "Check that Airflow's own database runs; see the log of the API server. This page retries.");
  }
  return new PageError(status, `HTTP status ${status}.`, "");
}

/** An error as a block that a screen reader announces. */
export function errorBlock(error) {
  if (!(error instanceof PageError)) {
    console.error(error);
    error = new PageError(-1, `This page failed: ${error.message}`, "Reload it.");
  }
  return el("div", { class: "error", role: "alert" },
    el("strong", {}, error.what), error.next ? ` ${error.next}` : null);
}

/**
 * Calls `step` again and again. `step` returns the seconds until the next call, or null to stop.
 * While the tab is hidden no request is sent; on return one at once. After an error, `onError(error)`
 * and slower and slower tries, at most a minute apart. Returns a function that ends it.
 */
export function poll(step, onError) {
  let timer = null;
  let ended = false;
  let failures = 0;
  let busy = false;
  async function tick() {
    if (ended || busy) return;
    if (document.hidden) return;
    busy = true;
    let wait;
    try {
      wait = await step();
      failures = 0;
    } catch (error) {
      if (ended) return;
      failures += 1;
      wait = Math.min(60, 2 ** failures);
      onError(error);
    } finally {
      busy = false;
    }
    if (wait === null) stop();
    else if (!ended) timer = setTimeout(tick, wait * 1000);
  }
  function seen() {
    if (document.hidden || ended) return;
    clearTimeout(timer);
    tick();
  }
  function stop() {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  }
  document.addEventListener("visibilitychange", seen);
  tick();
  return stop;
}

// --- building ----------------------------------------------------------------------------------

/** The heading bar with the views; `current` is one of their ids. */
export function mountHeader(current) {
  const links = VIEWS.map(([id, title]) =>
    el("li", {}, el("a", { href: id, "aria-current": id === current ? "page" : null }, title)));
  fill(document.getElementById("top"),
    el("nav", { "aria-label": "Views" }, el("ul", { class: "tabs" }, links)));
}

/**
 * A table with a caption and header cells. `columns`: `{title, value(row), numeric, header, nowrap}`;
 * `value` returns text, a number or a node; the column with `header` names its row.
 */
export function table({ caption, columns, rows, empty = "None.", hideCaption = false }) {
  if (rows.length === 0) return el("p", { class: "quiet" }, empty);
  const head = columns.map((column) =>
    el("th", { scope: "col", class: column.numeric ? "number" : null }, column.title));
  const body = rows.map((row) => el("tr", { role: "row" }, columns.map((column) => {
    const style = column.numeric ? "number" : column.nowrap ? "nowrap" : null;
    const shown = column.value(row);
    const text = shown === null || shown === undefined ? "–" : shown;
    const cell = { class: style, dataset: { title: column.title } };
    return column.header
      ? el("th", { scope: "row", role: "rowheader", ...cell }, el("div", {}, text))
      : el("td", { role: "cell", ...cell }, el("div", {}, text));
  })));
  return scrolled(caption, { hideCaption }, head, body);
}

/** A table that scrolls sideways where it is too wide; on a narrow screen its rows become blocks. */
export function scrolled(caption, { hideCaption = false, ...attributes }, head, body) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { role: "table", ...attributes },
      el("caption", { class: hideCaption ? "hidden" : null }, caption),
      el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
}

/** Terms and their values side by side: `[[term, value], …]`; a null value is left out. */
export function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined)
    .map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))));
}

/** A state as a word in a coloured box; the word has the meaning, the colour helps. */
export function badge(text, tone = "") {
  return el("span", { class: `badge ${tone}` }, text);
}

/** An outcome, state or bucket in its colour, the same on every view (shared.css). */
export function mark(kind, text = kind.replaceAll("_", " ")) {
  return badge(text, `k-${kind}`);
}

/** A section with a heading of the second level. */
export function section(title, ...children) {
  const id = `s-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  return el("section", { "aria-labelledby": id }, el("h2", { id }, title), children);
}

// --- formatting --------------------------------------------------------------------------------

const whole = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** 475000 → "475,000"; null → "–". */
export function number(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  if (digits === 0) return whole.format(Math.round(value));
  return new Intl.NumberFormat("en-GB", { maximumFractionDigits: digits }).format(value);
}

/** 475000 → "475K"; for tight places and axes. */
export function compact(value) {
  return value === null || value === undefined ? "–" : short.format(value);
}

/** 0.0314 → "3.1 %". */
export function percent(share, digits = 1) {
  return share === null || share === undefined ? "–" : `${(share * 100).toFixed(digits)} %`;
}

/** Seconds in words: 42 → "42 s", 5400 → "1 h 30 min". */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const s = Math.max(0, seconds);
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 120) return `${Math.round(s)} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

/** A time of the server in the reader's own time zone, as <time>. */
export function moment(iso) {
  if (!iso) return "–";
  const when = new Date(iso);
  const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(when);
  return el("time", { datetime: iso, title: when.toISOString() }, text);
}

/** "3 min ago" for a time of the server; `now` is the server's own, as it answered. */
export function ago(iso, now) {
  if (!iso) return "never";
  return `${duration((new Date(now) - new Date(iso)) / 1000)} ago`;
}
