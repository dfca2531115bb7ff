// One person: what is served and why, what each source says, the document. Every text is a text node.

import { badge, el, facts, mark, moment, number, scrolled, section, table } from "./page.js";
import { versionsSection } from "./candidate_versions.js";

const STATES = {
  fresh: "current", stale: "stale", rejected: "rejected", too_thin: "too thin", never: "no summary yet", retired: "retired",
};
const ORIGINS = { both: ["model and document"], model: ["model"], document: ["document"] };
const SIDES = [
  ["full_name", "Name"], ["headline", "Headline"], ["location", "Location"], ["country", "Country"],
  ["industry", "Industry"], ["years_experience", "Years"],
];

/** The page of a candidate; `bar` holds the actions. */
export function candidateView(found, bar) {
  return [
    head(found), notices(found), bar,
    el("div", { class: "two" }, summary(found), domains(found)),
    skills(found), fields(found), sides(found), evidence(found), markdown(found), versionsSection(found.versions),
    identity(found),
  ];
}

function head(found) {
  const { document: text, served } = found;
  return el("section", { "aria-labelledby": "who" },
    el("div", { class: "row" }, el("h2", { id: "who" }, found.full_name || "no name"),
      mark(found.state, STATES[found.state]), found.served?.method === "extractive" ? mark("extractive") : null),
    facts([
      ["Candidate", String(found.candidate_id)],
      ["Known since", moment(found.created_at)],
      ["Sources", number(found.rows.length)],
      ["Document", text ? `${number(text.word_count)} words, about ${number(text.token_estimate)} tokens` : null],
      ["As of", text?.as_of ?? null],
      ["Document changed", text ? moment(text.changed_at) : null],
      ["Summary written", served ? moment(served.synthesised_at) : null],
      ["Published", served ? moment(served.published_at) : null],
      ["Model", served?.model ?? null],
      ["Prompt", served?.prompt_version ?? null],
      ["Release", served?.release_id ? release(served) : null],
      ["Also answers for", found.absorbed.length ? found.absorbed.join(", ") : null],
    ]));
}

function release(served) {
  const short = served.release_id.slice(0, 12);
  return served.release_id === served.approved_release ? `${short} (approved)` : `${short} (not the approved one)`;
}

function notices(found) {
  const said = [];
  if (found.asked_id !== found.candidate_id) {
    said.push(`Candidate ${found.asked_id} was merged into ${found.candidate_id}.`);
  }
  if (found.state === "rejected") {
    said.push(found.served?.summary
      ? `The last answer about this document was rejected: ${found.state_reason}. An older summary stays in use.`
      : `The last answer about this document was rejected: ${found.state_reason}. No summary is served.`);
  } else if (found.state_reason) said.push(`This person's summary is ${STATES[found.state]}: ${found.state_reason}.`);
  for (const one of found.reader_text) said.push(`${one.source}:${one.source_key}, ${one.field}: text that addresses a reader is left out of the document.`);
  for (const one of found.planned) said.push(`Run ${one.run_id} will retry (${one.reason.replaceAll("_", " ")}).`);
  for (const one of found.decisions) {
    if (!one.applied_at) said.push(`Decision ${one.decision_id} (${one.kind}) is pending until the next run.`);
  }
  return said.map((text) => el("p", { class: "notice" }, text));
}

function summary({ served }) {
  return section("Summary", served?.claims ? el("p", { class: "quiet" }, `${number(served.supported)} of ${number(served.claims)} claims supported by the document.`) : null,
    served?.method === "extractive" ? el("p", { class: "quiet" }, "Extractive: the model's answers were rejected; these are sentences of the document.") : null,
    served?.summary
    ? el("p", { class: "prose" }, served.summary)
    : el("p", { class: "quiet" }, served ? "This person is served without a summary." : "Not published."));
}

function domains({ domains: found }) {
  return section("Domains", table({
    caption: "Business domains with the companies that gave them", rows: found, empty: "None.",
    columns: [
      { title: "Domain", header: true, value: (row) => row.domain },
      { title: "Months", numeric: true, value: (row) => number(row.months) },
      { title: "Companies", value: (row) => row.employers.join(", ") },
    ],
  }));
}

function skills({ skills: found, inferred_skills: inferred }) {
  return section("Skills", table({
    caption: "Published skills, where each comes from, and the lines of the document that ground it", rows: found,
    columns: [
      { title: "Skill", header: true, value: (row) => row.name },
      { title: "From", value: (row) => badge(...(ORIGINS[row.provenance] || ["not stored", ""])) },
      { title: "Grounded by", value: grounds },
    ],
  }), inferred.length
    ? el("p", { class: "quiet" }, "Named by the model without evidence in the document: ", inferred.join(", "), ".") : null);
}

function grounds(row) {
  if (row.lines.length === 0) return el("span", { class: "quiet" }, "no line of the present document");
  const [first, ...others] = row.lines;
  const count = others.length + row.more;
  return [
    el("div", { class: "ground" }, first),
    count ? el("details", {}, el("summary", { class: "quiet" }, `${number(count)} more`),
      others.map((line) => el("div", { class: "ground" }, line)),
      row.more ? el("div", { class: "quiet" }, `and ${number(row.more)} that are not shown`) : null) : null,
  ];
}

function fields({ fields: found }) {
  return section("Field winners", table({
    caption: "Which source won each field, why, and what the others say", rows: found,
    empty: "No field was decided yet.",
    columns: [
      { title: "Field", header: true, value: (row) => row.field.replaceAll("_", " ") },
      { title: "Value", value: (row) => el("span", { class: "text" }, row.value) },
      { title: "Won", value: (row) => [`${row.source}:${row.source_key}`, el("div", { class: "quiet" }, row.reason.replaceAll("_", " "))] },
      { title: "Others say", value: losers },
    ],
  }));
}

function losers(row) {
  if (row.losers.length === 0) return el("span", { class: "quiet" }, "nothing else");
  return [
    row.losers.map((one) => el("div", { class: "loser" }, el("s", {}, one.value), ` ${one.source}:${one.source_key}`)),
    row.more ? el("div", { class: "quiet" }, `and ${row.more} more`) : null,
  ];
}

function sides({ rows, fields: chosen }) {
  if (rows.length === 0) return section("Sources side by side", el("p", { class: "quiet" }, "No source row is left."));
  const winners = new Map(chosen.map((one) => [one.field, `${one.source}:${one.source_key}`]));
  const line = (title, value, field = null) => el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader", dataset: { title: "Field" } }, el("div", {}, title)), rows.map((row) => {
    const shown = value(row);
    const won = field !== null && winners.get(field) === `${row.source}:${row.source_key}`;
    return el("td", { role: "cell", class: won ? "won" : null, dataset: { title: `${row.source}:${row.source_key}` } },
      el("div", {}, shown === null || shown === "" ? "–" : shown, won ? el("span", { class: "hidden" }, " (this value won)") : null));
  }));
  return section("Sources side by side",
    el("p", { class: "quiet" }, "A green edge marks the value that won. Contacts and free text are not shown here."),
    scrolled("Values of each source, one column for each row", { hideCaption: true, class: "sides" },
      [el("th", { scope: "col" }, "Field"), rows.map((row) => el("th", { scope: "col" }, `${row.source}:${row.source_key}`))],
      [
          line("Seen", (row) => moment(row.observed_at)),
          SIDES.map(([name, title]) => line(title, (row) => row[name], name)),
          line("Jobs", (row) => bullets(row.positions, job)),
          line("Studies", (row) => bullets(row.education, study)),
          line("Skills", (row) => (row.skills || []).join(", ")),
          line("Certificates", (row) => (row.certifications || []).join(", ")),
          line("Languages", (row) => (row.languages || []).join(", ")),
          line("Own summary", (row) => (row.summary_characters ? `${number(row.summary_characters)} characters` : null)),
      ]));
}

function bullets(items, text) {
  return items?.length ? el("ul", {}, items.map((item) => el("li", {}, text(item)))) : null;
}

function job(item) {
  return `${item.title || "–"}, ${item.company || "–"}${span(item.start, item.is_current ? "now" : item.end)}`;
}

function study(item) {
  return `${[item.degree, item.field, item.school].filter(Boolean).join(", ") || "–"}${span(item.start, item.end)}`;
}

function span(start, end) {
  const from = month(start);
  const to = end === "now" ? end : month(end);
  return from || to ? ` (${from || "?"} – ${to || "?"})` : "";
}

function month(date) {
  if (!date) return "";
  return date.month ? `${date.year}-${String(date.month).padStart(2, "0")}` : String(date.year);
}

function evidence({ rows }) {
  const lines = rows.flatMap((row) => (row.evidence.length ? row.evidence : [null]).map((one) => ({ row, one })));
  return section("Merge evidence", table({
    caption: "Why each row belongs to this person", rows: lines,
    columns: [
      { title: "Row", header: true, value: ({ row }) => `${row.source}:${row.source_key}` },
      { title: "Rule", value: ({ row }) => row.rule.replaceAll("_", " ") },
      { title: "Same as", value: ({ one }) => (one ? one.with.join(":") : null) },
      { title: "Score", numeric: true, value: ({ one }) => (one ? number(one.score, 2) : null) },
      { title: "Signals", value: ({ one }) => (one
        ? one.signals.map(([name, weight]) => `${name.replaceAll("_", " ")} ${weight > 0 ? "+" : ""}${number(weight, 2)}`).join(", ") : null) },
      { title: "Row id", numeric: true, value: ({ row }) => row.row_id },
    ],
  }));
}

function markdown({ document: text }) {
  if (!text) return section("Document", el("p", { class: "quiet" }, "None."));
  const lines = text.markdown.split("\n").map((line, n) => [
    n ? "\n" : null, line.startsWith("#") ? el("span", { class: "heading" }, line) : line]);
  return section("Document",
    el("p", { class: "quiet" }, "Input of the model, unchanged",
      text.trimmed.length ? `; shortened: ${text.trimmed.join(", ")}` : "", "."),
    el("pre", { class: "markdown", tabindex: "0", role: "region", "aria-label": "Markdown document" }, lines));
}

function identity({ events, decisions }) {
  if (events.length === 0 && decisions.length === 0) return null;
  return section("Identity",
    table({
      caption: "Decisions", rows: decisions, empty: "No decision.",
      columns: [
        { title: "Decision", header: true, value: (row) => `${row.decision_id} ${row.kind}` },
        { title: "Candidates", value: (row) => [row.candidate_id, row.other_id].filter(Boolean).join(", ") },
        { title: "By", value: (row) => row.decided_by },
        { title: "On", value: (row) => moment(row.decided_at) },
        { title: "State", value: (row) => (row.revoked_at ? `revoked by ${row.revoked_by}` : row.applied_at ? "applied" : "pending") },
        { title: "Note", value: (row) => row.note },
      ],
    }),
    table({
      caption: "Events of the id", rows: events, empty: "No event.",
      columns: [
        { title: "Event", header: true, value: (row) => row.kind },
        { title: "Candidates", value: (row) => [row.candidate_id, row.other_id].filter(Boolean).join(", ") },
        { title: "Run", value: (row) => row.run_id },
        { title: "On", value: (row) => moment(row.happened_at) },
      ],
    }));
}
