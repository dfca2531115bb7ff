// Who is in a bucket of a run, or behind a reason of its gate, each with the sentences that were rejected.

import { el, errorBlock, fill, get, mark, table } from "./page.js";

const FILTERS = ["bucket", "reason", "removed"];

/** A link to the people of a run that `filters` leaves. */
export function peopleLink(runId, filters, text) {
  return el("a", { href: `runs?${new URLSearchParams({ run: runId, ...filters })}` }, text);
}

/** The view of an address that has a filter, else null. */
export function peopleView(params) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params.get(name)]).filter(([, value]) => value));
  if (Object.keys(filters).length === 0) return null;
  const runId = params.get("run");
  const node = el("div");
  const title = { bucket: "in bucket", reason: "for", removed: "with a sentence removed for" };
  const words = Object.entries(filters).map(([name, value]) => `${title[name]} ${value.replaceAll("_", " ")}`).join(" ");
  async function draw() {
    const found = await get("api/runs/people", { run: runId, ...filters, after: params.get("after") });
    const next = found.next && el("a", { class: "button", href: `runs?${new URLSearchParams({ run: runId, ...filters, after: found.next })}` }, "Next page");
    fill(node, list(found.people), el("nav", { class: "pager", "aria-label": "Pages" }, next));
    return null;
  }
  return {
    heading: el("div", { class: "heading" },
      el("p", { class: "crumb" }, el("a", { href: `runs?run=${encodeURIComponent(runId)}` }, runId)),
      el("h1", {}, `People ${words}`)),
    node, steps: () => [draw],
  };
}

function list(people) {
  return table({
    caption: "People by id, with the last answer about each", hideCaption: true, rows: people, empty: "No people.",
    columns: [
      { title: "Name", header: true, value: (row) => el("a", { href: `candidates?id=${row.candidate_id}` }, row.full_name || `candidate ${row.candidate_id}`) },
      { title: "Outcome", value: (row) => (row.outcome ? mark(row.outcome) : "–") },
      { title: "Reason", value: (row) => [(row.reason || "–").replaceAll("_", " "),
        row.failed.length ? el("div", { class: "quiet" }, `checks: ${row.failed.join(", ").replaceAll("_", " ")}`) : null] },
      { title: "Rejected sentences", value: (row) => (row.removed.length ? row.removed.map((one) =>
        el("div", { class: "ground" }, el("strong", {}, `${one.reason.replaceAll("_", " ")}: `), one.sentence || "(no longer kept)")) : "–") },
    ],
  });
}
