// One run: progress, buckets, lanes, plots, refusals, gate, stages.

import { ago, badge, dagRunUrl, duration, el, facts, fill, mark, moment, number, percent, section, table } from "./page.js";
import { progressBlock } from "./run_progress.js";
import { peopleLink } from "./run_people.js";
import { runPlots } from "./run_plots.js";
import { refusedBlock } from "./run_refused.js";

const LIVE_SECONDS = 3;
const SLOW_SECONDS = 15;
const ANNOUNCE_SECONDS = 30;

const BUCKETS = {
  fresh: ["fresh", "unchanged since its last answer"],
  rejected_before: ["rejected before", "unchanged, and its answers were rejected in an earlier run; `profiles retry` opens it"],
  too_thin: ["too thin", "document too short to ask about; domains are published"],
  valid: ["valid", "answered and accepted"],
  repaired: ["repaired", "accepted after a repair"],
  extractive: ["extractive", "published with skills, domains and sentences of the document, if any fit, for a rejected answer"],
  rejected: ["rejected", "rejected after all attempts"],
  deferred: ["deferred", "deferred by the limit or the window"],
  missing: ["missing", "planned, but the run ended without an outcome"],
};
const OPEN = ["open", "planned, waiting for an outcome"];

export function runView(runId) {
  const state = el("span");
  const heading = el("div", { class: "heading" },
    el("p", { class: "crumb" }, el("a", { href: "runs" }, "All runs")),
    el("h1", {}, runId, " ", state));
  const said = el("p", { class: "hidden", "aria-live": "polite" });
  const parts = {
    head: el("div"), warnings: el("div"), progress: el("div"), buckets: el("div"), lanes: el("div"),
    gate: el("div"), stale: el("div"), unread: el("div"), stages: el("div"),
  };
  const refused = refusedBlock(runId);
  const plots = runPlots(runId);
  const node = el("div", {}, said, parts.warnings, parts.head,
    section("Progress", parts.progress),
    el("div", { class: "grid" }, section("Rows by bucket", parts.buckets), section("Rejected answers", refused.node)),
    section("Lanes", parts.lanes),
    section("Over time", plots.node),
    el("div", { class: "grid" }, section("Gate", parts.gate), section("Why documents were planned", parts.stale)),
    section("Unmapped paths", parts.unread),
    section("Stages", parts.stages));
  const drawn = {};
  let ended = false;
  let announced = 0;

  /** Builds a part again only when its data changed, so that focus and selection stay. */
  function put(name, data, build) {
    const text = JSON.stringify(data);
    if (drawn[name] === text) return;
    drawn[name] = text;
    fill(parts[name], build(data));
  }

  function announce(run) {
    if (run.progress === null || Date.now() - announced < ANNOUNCE_SECONDS * 1000) return;
    announced = Date.now();
    const { done, planned, deferred } = run.progress;
    fill(said, `${run.state}: ${number(done)} of ${number(planned - deferred)} documents.`);
  }

  async function live(get) {
    const startedAt = performance.now();
    const run = await get("api/runs/view", { run: runId });
    const took = (performance.now() - startedAt) / 1000;
    fill(state, mark(run.state));
    fill(parts.head, headBlock(run));
    fill(parts.progress, progressBlock(run));
    put("buckets", run.buckets, () => bucketsBlock(run));
    put("lanes", [run.lanes, run.cards, run.ended_at ? null : run.now], () => lanesBlock(run));
    announce(run);
    ended = run.ended_at !== null;
    // Counting a large run is work for the database: an open page never keeps it busy for long.
    return ended ? null : Math.max(LIVE_SECONDS, took * 10);
  }

  async function slow(get) {
    const details = await get("api/runs/details", { run: runId });
    await refused.update(details.refused);
    put("warnings", details.warnings, (warnings) => warnings.map((text) =>
      el("div", { class: "notice text" }, el("strong", {}, "Warning "), text)));
    put("gate", details, () => gateBlock(runId, details));
    put("stale", details.stale, () => staleBlock(details.stale));
    put("unread", details.unread_paths, unreadBlock);
    put("stages", details.stages, () => stagesBlock(details.stages));
    return ended ? null : SLOW_SECONDS;
  }

  async function draw() {
    await plots.refresh();
    return ended ? null : SLOW_SECONDS;
  }

  return { heading, node, steps: (get) => [() => live(get), () => slow(get), draw] };
}

function headBlock(run) {
  return [
    run.error ? el("div", { class: "error text" }, run.error) : null,
    run.notice ? el("div", { class: "notice text" }, run.notice) : null,
    el("div", { class: "card" }, facts([
      ["Started", moment(run.started_at)],
      [run.ended_at ? "Took" : "Running for", duration(run.seconds)],
      ["Candidates", number(run.candidates)],
      ["Planned", number(run.planned)],
      ["Published", run.publishes ? number(run.published) : "a trial: not published"],
      ["Withdrawn", run.withdrawn ? number(run.withdrawn) : null],
      ["Model", run.model ? `${run.model} (${run.engine})` : null],
      ["Prompt", run.engine_profile],
      ["Leases of", run.batch_size ? `${number(run.batch_size)} documents` : null],
      ["Energy", run.energy_kwh === null ? null : `${number(run.energy_kwh, 2)} kWh`],
      ["Params", chosen(run.params)],
      ["In Airflow", el("a", { href: dagRunUrl("profile_synthesis", run.run_id), target: "_top" }, "DAG run")],
    ])),
  ];
}

function chosen(params) {
  const set = Object.entries(params).filter(([, value]) =>
    value !== null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0));
  return set.length ? set.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ") : null;
}

function bucketsBlock(run) {
  if (run.buckets.length === 0) return el("p", { class: "quiet" }, "There is no plan yet.");
  const total = run.candidates || 1;
  const isOpen = (b) => b.bucket === "missing" && !run.ended_at;
  const [name, meaning] = [0, 1].map((n) => (b) => (isOpen(b) ? OPEN : BUCKETS[b.bucket])[n]);
  const tint = (b) => (isOpen(b) ? "k-open" : `k-${b.bucket}`);
  const link = (b) => (b.candidates ? peopleLink(run.run_id, { bucket: b.bucket }, name(b)) : name(b));
  const bar = el("div", { class: "stack", "aria-hidden": "true" }, run.buckets.filter((b) => b.candidates).map((b) =>
    el("span", { class: tint(b), style: { flexGrow: b.candidates / total } })));
  return [bar, table({
    caption: `${number(run.candidates)} candidates by bucket`,
    columns: [
      { title: "Bucket", header: true, nowrap: true, value: (b) => [el("span", { class: `key ${tint(b)}`, "aria-hidden": "true" }), link(b)] },
      { title: "Candidates", numeric: true, value: (b) => number(b.candidates) },
      { title: "Share", numeric: true, value: (b) => percent(b.candidates / total) },
      { title: "What it means", value: (b) => el("span", { class: "quiet" }, meaning(b)) },
    ],
    rows: run.buckets,
  })];
}

function lanesBlock(run) {
  const cards = (lane) => run.cards.filter((card) => card.lane === lane.lane);
  return table({
    caption: "One lane is one engine on one GPU or group of GPUs",
    rows: run.lanes,
    empty: run.ended_at ? "No lane worked in this run." : "No lane yet. They start after the plan.",
    columns: [
      { title: "Lane", header: true, nowrap: true, value: (lane) => [`${lane.lane} `, mark(lane.state)] },
      { title: "Host", nowrap: true, value: (lane) => lane.host },
      { title: "Card", value: (lane) => cardWords(lane, cards(lane)) },
      { title: "Model", nowrap: true, value: (lane) => [lane.model, el("div", { class: "quiet" }, [lane.engine, lane.parallelism].filter(Boolean).join(", "))] },
      { title: "Documents", numeric: true, value: (lane) => number(lane.documents) },
      { title: "Output tok/s", numeric: true, value: (lane) => number(lane.output_tokens_per_second) },
      { title: "Leased", numeric: true, value: (lane) => number(lane.leased_documents) },
      { title: "In flight", numeric: true, value: (lane) => whileRunning(lane, lane.in_flight) },
      { title: "Queue", numeric: true, value: (lane) => whileRunning(lane, lane.queued) },
      { title: "Cache hits", numeric: true, value: (lane) => percent(lane.cache_hits) },
      { title: "Restarts", numeric: true, value: (lane) => number(lane.restarts) },
      { title: "Heard", nowrap: true, value: (lane) => (lane.state === "running" ? ago(lane.heartbeat_at, run.now) : "–") },
      ...(run.lanes.some((lane) => lane.error || lane.reason) ? [NOTE] : []),
    ],
  });
}

/** What a lane said last of itself holds no more when it has ended. */
const whileRunning = (lane, value) => (lane.state === "running" ? number(value) : "–");

const NOTE = {
  title: "Note",
  value: (lane) => el("div", { class: "note" }, lane.error ? el("strong", {}, lane.error) : lane.reason || "–"),
};

function cardWords(lane, now) {
  if (now.length === 0) return lane.cards.length ? lane.cards.join(", ") : "no GPU";
  return now.map((card) => el("div", { class: "nowrap" }, card.name,
    el("span", { class: "quiet" }, ` ${number(card.celsius)} °C, ${number(card.watts)} W, ${number(card.utilisation)} %`),
    card.throttle && card.throttle.length ? [" ", badge(`throttled: ${card.throttle.join(", ")}`, "bad")] : null));
}

function gateBlock(runId, { gate, gate_outside: outside, gate_scores: scores, gate_removed: removed, reader_text: readerText }) {
  const rows = Object.entries(gate).sort((a, b) => b[1] - a[1]);
  if (rows.length === 0) return el("p", { class: "quiet" }, "The report at the end of the run has the gate's figures.");
  const sentences = (reason) => peopleLink(runId, { removed: reason }, reason.replaceAll("_", " "));
  const extra = [["Supported claims, by answer", "Share", scores], ["Sentences removed", "Reason", removed, sentences],
    ["Source rows with text to a reader, left out of documents", "Source and field", readerText]];
  const total = rows.reduce((sum, [, answers]) => sum + answers, 0);
  const odd = new Map(outside.map((drift) => [drift.figure, drift]));
  return [table({
    caption: "Verdict of the gate on the last answer about each document",
    rows,
    columns: [
      { title: "Verdict", header: true, value: ([figure]) => figure },
      { title: "Answers", numeric: true, value: ([, answers]) => number(answers) },
      { title: "Share", numeric: true, value: ([, answers]) => percent(answers / total) },
      { title: "Usual", value: ([figure]) => (odd.has(figure)
        ? badge(`outside ${percent(odd.get(figure).low)} to ${percent(odd.get(figure).high)}`, "warn") : "–") },
    ],
  }), ...extra.filter(([, , counts]) => Object.keys(counts).length).map(([caption, title, counts, shown = (name) => name]) => table({
    caption, rows: Object.entries(counts).sort((a, b) => b[1] - a[1]),
    columns: [
      { title, header: true, value: ([name]) => shown(name) },
      { title: "Number", numeric: true, value: ([, count]) => number(count) },
    ],
  }))];
}

function staleBlock(stale) {
  const rows = Object.entries(stale).sort((a, b) => b[1] - a[1]);
  return table({
    caption: "Planned documents by reason", rows,
    empty: "The report at the end of the run counts them; none if nothing was planned.",
    columns: [
      { title: "Reason", header: true, value: ([reason]) => reason.replaceAll("_", " ") },
      { title: "Documents", numeric: true, value: ([, documents]) => number(documents) },
    ],
  });
}

function unreadBlock(paths) {
  return table({
    caption: "Share of sampled rows with text at a path without mapping",
    rows: Object.entries(paths).sort((a, b) => b[1] - a[1]),
    empty: "None: every path with text is mapped or ignored.",
    columns: [
      { title: "Source, variant and path", header: true, value: ([name]) => name },
      { title: "Rows", numeric: true, value: ([, share]) => percent(share, 0) },
    ],
  });
}

function stagesBlock(stages) {
  return table({
    caption: "Rows read and written and duration of each task, in the order of their end", rows: stages,
    empty: "No stage has ended yet.",
    columns: [
      { title: "Stage", header: true, value: (stage) => [stage.stage.replaceAll("_", " "), stage.error ? [" ", ending(stage)] : null] },
      { title: "Parts", numeric: true, value: (stage) => number(stage.parts) },
      { title: "Longest part", numeric: true, value: (stage) => duration(stage.longest_seconds) },
      { title: "Peak", numeric: true, value: (stage) => (stage.peak_mb ? `${number(stage.peak_mb)} MiB` : "–") },
      { title: "Ended", nowrap: true, value: (stage) => moment(stage.ended_at) },
      { title: "Counts", value: (stage) => el("div", { class: "note" }, stage.error ? el("strong", { class: "text" }, stage.error) : counted(stage.counts)) },
    ],
  });
}

function ending({ peak_mb: peak }) {
  // A stage that has begun alone has no peak.
  return peak === null ? badge("not ended", "warn") : mark("failed");
}

function counted(counts) {
  return Object.entries(counts).map(([name, value]) => `${name.replaceAll("_", " ")} ${number(Number(value))}`).join(", ") || "–";
}
