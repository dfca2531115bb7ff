// All answers that are stored about a person, and what differs between two of them, word by word.

import { badge, el, fill, mark, moment, number, section, table } from "./page.js";

/** The section with the list of versions and the comparison below it. */
export function versionsSection(versions) {
  if (versions.length === 0) return section("Versions", el("p", { class: "quiet" }, "No answer is stored."));
  return section("Versions", list(versions), comparison(versions));
}

function list(versions) {
  return table({
    caption: "Answers about this person, newest first, rejected ones too", rows: versions,
    columns: [
      { title: "No", numeric: true, value: (row) => versions.indexOf(row) + 1 },
      { title: "Written", header: true, value: (row) => moment(row.created_at) },
      { title: "Outcome", value: outcome },
      { title: "Why", value: why },
      { title: "Model", value: (row) => [row.model || "–", el("div", { class: "quiet" }, `${row.engine_profile || "–"} ${row.prompt || ""}`)] },
      { title: "Tokens", numeric: true, value: (row) => `${number(row.prompt_tokens)} + ${number(row.completion_tokens)}` },
      { title: "Run", value: (row) => el("a", { href: `runs?run=${encodeURIComponent(row.run_id)}` }, row.run_id) },
    ],
  });
}

function outcome(row) {
  return el("div", { class: "row" }, mark(row.outcome), row.is_served ? badge("served") : null,
    row.publishes ? null : badge("trial"), row.retried_at ? badge("opened again", "warn") : null);
}

function why(row) {
  const failed = row.checks.filter((check) => !check.passed);
  return [
    row.reason ? row.reason.replaceAll("_", " ") : "–",
    row.claims ? el("div", { class: "quiet" }, `${number(row.supported)} of ${number(row.claims)} claims supported`) : null,
    row.removed.length ? el("details", {}, el("summary", { class: "quiet" }, `${number(row.removed.length)} sentences removed`),
      row.removed.map((one) => el("div", { class: "ground" }, `${one.reason}: ${one.sentence || "(no longer kept)"}`))) : null,
    failed.map((check) => el("div", { class: "quiet" }, `${check.name.replaceAll("_", " ")}: ${counts(check.detail)}`)),
  ];
}

/** "numbers=1 titles=0" → "numbers=1": a check counts everything that it looks for. */
function counts(detail) {
  const shown = detail.split(" ").filter((part) => !part.endsWith("=0")).join(" ");
  return shown || "failed";
}

function comparison(versions) {
  const texts = versions.map((row, n) => ({ row, n })).filter(({ row }) => row.summary);
  if (texts.length === 0) return el("p", { class: "quiet" }, "No text of them is kept.");
  const shown = el("div", { "aria-live": "polite" });
  const choice = (id, title, chosen) => [el("label", { for: id }, title), el("select", { id, onchange: update },
    texts.map(({ row, n }) => el("option", { value: n, selected: n === chosen }, label(row, n))))];
  const other = texts.find(({ row }) => row.summary !== texts[0].row.summary) || texts[texts.length - 1];
  const from = choice("from", "From", other.n);
  const to = choice("to", "To", texts[0].n);
  function update() {
    const [older, newer] = [from, to].map((parts) => versions[Number(parts[1].value)]);
    fill(shown, older === newer ? el("p", { class: "prose" }, newer.summary) : differences(older, newer));
  }
  update();
  return [el("h3", {}, "Compare"), el("div", { class: "row" }, from, to), shown];
}

function label(row, n) {
  const served = row.is_served ? ", served" : "";
  const when = new Date(row.created_at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return `${n + 1}: ${when}, ${row.outcome}${served}`;
}

function differences(older, newer) {
  const parts = window.Diff.diffWordsWithSpace(older.summary, newer.summary);
  const words = (kind) => parts.filter((part) => part[kind])
    .reduce((sum, part) => sum + part.value.split(/\s+/).filter(Boolean).length, 0);
  const names = (row) => new Set(row.skills.map((skill) => skill.name));
  const [before, after] = [names(older), names(newer)];
  const gone = [...before].filter((name) => !after.has(name));
  const come = [...after].filter((name) => !before.has(name));
  return [
    el("p", { class: "quiet" }, `${number(words("added"))} words added, ${number(words("removed"))} removed.`),
    el("p", { class: "prose diff" }, parts.map((part) =>
      (part.added ? el("ins", {}, part.value) : part.removed ? el("del", {}, part.value) : part.value))),
    el("p", { class: "diff" }, "Skills: ",
      come.length || gone.length
        ? [...come.map((name) => el("ins", {}, name)), ...gone.map((name) => el("del", {}, name))].flatMap((node, n) => (n ? [", ", node] : [node]))
        : "the same."),
  ];
}
