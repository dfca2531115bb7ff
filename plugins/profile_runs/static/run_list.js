// The run in progress on top, then all runs, newest first.

import { ago, duration, el, errorBlock, fill, get, mark, moment, number, section, table } from "./page.js";
import { progressBlock } from "./run_progress.js";

export function runLink(runId) {
  return el("a", { href: `runs?run=${encodeURIComponent(runId)}` }, runId);
}

const COLUMNS = [
  { title: "Run", header: true, value: (run) => runLink(run.run_id) },
  { title: "State", value: (run) => mark(run.state) },
  { title: "Started", nowrap: true, value: (run) => moment(run.started_at) },
  { title: "Took", numeric: true, value: (run) => duration(run.seconds) },
  { title: "Candidates", numeric: true, value: (run) => number(run.candidates) },
  { title: "Planned", numeric: true, value: (run) => number(run.planned) },
  { title: "Published", numeric: true, value: (run) => (run.publishes ? number(run.published) : "not published") },
  { title: "Model", value: (run) => (run.model ? `${run.model} (${run.engine})` : "–") },
];

export function runList() {
  const current = el("div");
  const older = el("div");
  const more = el("button", { type: "button", hidden: true }, "Older runs");
  const node = el("div", {}, current, section("History", older, el("div", { class: "after" }, more)));
  let rows = [];
  let next = null;
  let shown = "";

  function draw() {
    fill(older, table({
      caption: "Runs, newest first", hideCaption: true, columns: COLUMNS, rows,
      empty: "No run yet. Trigger DAG profile_synthesis.",
    }));
    more.hidden = next === null;
  }

  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      const page = await get("api/runs", { before: next });
      rows = rows.concat(page.runs);
      next = page.next;
      draw();
    } catch (error) {
      older.append(errorBlock(error));
    } finally {
      more.disabled = false;
    }
  });

  async function refresh() {
    const page = await get("api/runs");
    const text = JSON.stringify(page);
    if (text !== shown) {
      // Pages that a person has opened stay: only the first one changes.
      const first = new Set(page.runs.map((run) => run.run_id));
      const kept = rows.filter((run) => !first.has(run.run_id));
      if (shown === "" || kept.length === 0) next = page.next;
      rows = page.runs.concat(shown === "" ? [] : kept);
      shown = text;
      draw();
    }
    const running = page.runs.filter((run) => run.state === "running");
    const views = await Promise.all(running.slice(0, 3).map((run) => get("api/runs/view", { run: run.run_id })));
    fill(current, views.map((run) => section("In progress", el("p", {}, runLink(run.run_id),
      el("span", { class: "quiet" }, ` · started ${ago(run.started_at, run.now)} · ${number(run.candidates)} candidates`)),
      progressBlock(run))));
    return running.length ? 4 : 20;
  }

  return { heading: el("h1", {}, "Runs"), node, steps: () => [refresh] };
}
