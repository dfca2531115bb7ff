// View Coverage: who is fresh, stale or rejected, what is known, what the nights cost.

import { ago, compact, el, errorBlock, fill, get, mountHeader, moment, number, percent, poll, section, table } from "./page.js";
import { timeChart } from "./charts.js";

const REFRESH_SECONDS = 60;

const STATES = {
  fresh: "answered as the document and the approved release are now",
  stale: "answered, but the document or the release has changed since",
  rejected: "rejected after all attempts; an older summary stays in use",
  too_thin: "document too short to ask about; domains are published",
  never: "no answer yet",
};

mountHeader("coverage");
const problem = el("div");
const body = el("div");
const gate = timeChart({ title: "Gate", unit: "% of answers", digits: 1 });
const tokens = timeChart({ title: "Tokens", unit: "thousand a run" });
const calls = timeChart({ title: "Model calls", unit: "a run" });
fill(document.getElementById("main"), el("h1", {}, "Coverage"), problem, body);
let drawn = "";

function draw({ coverage, history }) {
  if (coverage === null) {
    fill(body, el("p", {}, "Nothing is counted yet. The report at the end of each run counts the people; " +
      "trigger DAG profile_synthesis, or wait for the night."));
    return;
  }
  const total = coverage.candidates || 1;
  fill(body,
    el("p", { class: "quiet" }, `${number(coverage.candidates)} candidates as counted `,
      moment(coverage.taken_at), ` (${ago(coverage.taken_at, coverage.now)}) by the report of `,
      el("a", { href: `runs?run=${encodeURIComponent(coverage.run_id)}` }, coverage.run_id), "."),
    section("Candidates by state", statesBlock(coverage, total)),
    el("div", { class: "grid two" },
      section("Known from", bars({
        caption: "Candidates by source tables", title: "Sources", rows: coverage.sources, total,
        name: (row) => row.sources.join(" + "), empty: "No source row is assigned.",
      })),
      section("Freshness", bars({
        caption: "Served summaries by age", title: "Age", rows: ageLines(coverage.ages),
        total: coverage.ages.reduce((sum, age) => sum + age.candidates, 0) || 1, name: (row) => row.name,
      })),
      section("Domains", bars({
        caption: `${number(coverage.domains.length)} business domains`, title: "Domain", rows: coverage.domains, total,
        name: (row) => row.name, empty: "No domain is tagged yet.", head: 15,
      })),
      section("Top skills", bars({
        caption: "The most frequent of the published skills", title: "Skill", rows: coverage.skills, total,
        name: (row) => row.name, empty: "No skill is published yet.", head: 15,
      }))),
    section("Over runs", el("div", { class: "plots" }, gate.node, tokens.node, calls.node), historyTable(history)));
  drawHistory(history);
}

function statesBlock(coverage, total) {
  const sums = new Map();
  for (const { state, candidates } of coverage.states) sums.set(state, (sums.get(state) || 0) + candidates);
  const order = Object.keys(STATES).filter((state) => sums.has(state));
  const rows = order.flatMap((state) => [
    { state, why: null, candidates: sums.get(state) },
    ...coverage.states.filter((line) => line.state === state && line.reason)
      .map((line) => ({ state, why: line.reason, candidates: line.candidates })),
  ]);
  return [
    el("div", { class: "stack", "aria-hidden": "true" }, order.map((state) =>
      el("span", { class: `k-${state}`, style: { flexGrow: sums.get(state) / total } }))),
    table({
      caption: "Candidates by state; stale ones by reason", rows, empty: "There are no candidates.",
      columns: [
        { title: "State", header: true, value: (row) => (row.why
          ? el("span", { class: "indent quiet" }, row.why.replaceAll("_", " "))
          : [el("span", { class: `key k-${row.state}`, "aria-hidden": "true" }), row.state.replaceAll("_", " ")]) },
        { title: "Candidates", numeric: true, value: (row) => number(row.candidates) },
        { title: "Share", numeric: true, value: (row) => percent(row.candidates / total) },
        { title: "What it means", value: (row) => el("span", { class: "quiet" }, row.why ? "" : STATES[row.state]) },
      ],
    }),
  ];
}

function ageLines(ages) {
  let younger = null;
  return ages.map(({ days, candidates }) => {
    const name = days === null ? `older than ${younger} days`
      : days === 1 ? "less than a day" : `${younger ?? 0} to ${days} days`;
    younger = days;
    return { name, candidates };
  });
}

/** A table whose share is drawn as a bar beside the number; beyond `head` rows a <details> opens the rest. */
function bars({ caption, title, rows, total, name, empty, head = Infinity }) {
  const most = rows.reduce((high, row) => Math.max(high, row.candidates), 1);
  const part = (some, label) => table({
    caption: label, rows: some, empty,
    columns: [
      { title, header: true, value: name },
      { title: "Candidates", numeric: true, value: (row) => number(row.candidates) },
      { title: "Share", numeric: true, value: (row) => percent(row.candidates / total) },
      { title: "", value: (row) => el("div", { class: "bar", "aria-hidden": "true" },
        el("span", { style: { width: `${(row.candidates / most) * 100}%` } })) },
    ],
  });
  if (rows.length <= head) return part(rows, caption);
  return [part(rows.slice(0, head), caption),
    el("details", {}, el("summary", {}, `${number(rows.length - head)} more`), part(rows.slice(head), `${caption}, the rest`))];
}

const VERDICTS = ["valid", "repaired", "extractive", "rejected"];

function verdicts(run) {
  const sums = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]));
  for (const [figure, answers] of Object.entries(run.gate)) sums[figure.split(":")[0]] += answers;
  return sums;
}

function drawHistory(history) {
  const times = history.map((run) => new Date(run.started_at) / 1000);
  const sums = history.map(verdicts);
  const totals = sums.map((run) => VERDICTS.reduce((sum, verdict) => sum + run[verdict], 0));
  gate.update(times, VERDICTS.slice(1).map((verdict) => ({
    label: verdict, colour: `--${verdict}`, values: sums.map((run, n) => (totals[n] ? (100 * run[verdict]) / totals[n] : null)),
  })));
  const line = (label, key, divisor) => ({ label, values: history.map((run) => (run.tokens[key] ?? 0) / divisor) });
  tokens.update(times, [
    line("prompt", "prompt_tokens", 1000), line("of these from cache", "cached_tokens", 1000),
    line("output", "completion_tokens", 1000),
  ]);
  calls.update(times, [line("model calls", "model_calls", 1)]);
}

function historyTable(history) {
  return el("details", {}, el("summary", {}, "Show as table"), table({
    caption: "Gate and tokens of each run, newest first", rows: [...history].reverse(), empty: "No run has reported.",
    columns: [
      { title: "Run", header: true, value: (run) => el("a", { href: `runs?run=${encodeURIComponent(run.run_id)}` }, run.run_id) },
      { title: "Started", value: (run) => el("span", { class: "nowrap" }, moment(run.started_at)) },
      ...VERDICTS.map((verdict) => ({ title: verdict, numeric: true, value: (run) => number(verdicts(run)[verdict]) })),
      { title: "Calls", numeric: true, value: (run) => number(run.tokens.model_calls) },
      { title: "Prompt", numeric: true, value: (run) => compact(run.tokens.prompt_tokens) },
      { title: "Cached", numeric: true, value: (run) => compact(run.tokens.cached_tokens) },
      { title: "Output", numeric: true, value: (run) => compact(run.tokens.completion_tokens) },
    ],
  }));
}

poll(async () => {
  const found = await get("api/coverage");
  problem.replaceChildren();
  const { now: _, ...rest } = found.coverage || {};
  const text = JSON.stringify([rest, found.history]);
  if (text !== drawn) {
    drawn = text;
    draw(found);
  }
  return REFRESH_SECONDS;
}, (error) => fill(problem, errorBlock(error)));
