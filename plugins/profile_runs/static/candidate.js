// View Candidates: the search, and one person when the address names an id.

import { el, errorBlock, fill, get, mark, me, mountHeader, moment, number, table } from "./page.js";
import { candidateView } from "./candidate_view.js";
import { actionBar } from "./candidate_actions.js";

const KINDS = [["any", "Name, id or skill"], ["name", "Name"], ["skill", "Skill"], ["id", "Id"]];
const SHOWN_SKILLS = 6;

const params = new URLSearchParams(location.search);
const main = document.getElementById("main");
const status = el("p", { class: "quiet", role: "status" });
const body = el("div");

mountHeader("candidates");
fill(main, el("h1", {}, "Candidates"), finder(), status, body);
if (params.get("id")) showOne(params.get("id"));
else if (params.get("q")) showList(params.get("q"), params.get("by") || "any", params.get("after") || "0");
else fill(status, "Names are found by the beginnings of their words; skills under any of their names.");

function address(query) {
  return `candidates?${new URLSearchParams(query)}`;
}

function finder() {
  const text = el("input", { id: "q", type: "search", maxlength: 200, autocomplete: "off", value: params.get("q") || "" });
  const by = el("select", { id: "by" }, KINDS.map(([value, title]) =>
    el("option", { value, selected: value === (params.get("by") || "any") }, title)));
  return el("form", {
    class: "find", role: "search",
    onsubmit: (event) => {
      event.preventDefault();
      if (text.value.trim()) location.assign(address({ q: text.value.trim(), by: by.value }));
    },
  },
  el("div", { class: "wide" }, el("label", { for: "q" }, "Find people"), text),
  el("div", {}, el("label", { for: "by" }, "By"), by),
  el("button", { class: "primary", type: "submit" }, "Search"));
}

async function showList(q, by, after) {
  fill(status, "Searching…");
  try {
    const found = await get("api/candidates", { q, by, after });
    fill(status, heading(found, q, Number(after) > 0));
    fill(body, list(found), pager(found, q, by, after));
  } catch (error) {
    fill(status);
    fill(body, errorBlock(error));
  }
}

function heading(found, q, isLater) {
  const what = { id: "with this id", skill: `with skill ${found.skill}`, name: "with this name" }[found.by];
  const many = found.candidates.length;
  const count = many === 0 ? "Nobody" : `${number(many)}${found.next ? " of more" : ""} ${many === 1 ? "person" : "people"}`;
  const other = found.by === "skill"
    ? [" ", el("a", { href: address({ q, by: "name" }) }, "Search names instead")] : null;
  return [`${count} ${what}${isLater ? " on this page" : ""}, by id.`, other];
}

function list(found) {
  return table({
    caption: "People found", hideCaption: true, rows: found.candidates, empty: "",
    columns: [
      { title: "Name", header: true, value: (row) => el("a", { href: address({ id: row.candidate_id }) }, row.full_name || "no name") },
      { title: "Id", numeric: true, value: (row) => row.candidate_id },
      { title: "Summary", value: summaryState },
      { title: "Skills", value: (row) => chips(row.skills) },
      { title: "Domains", value: (row) => row.domains.slice(0, 3).join(", ") || "–" },
      { title: "Written", value: (row) => el("span", { class: "nowrap" }, moment(row.synthesised_at)) },
    ],
  });
}

function summaryState(row) {
  if (row.too_thin) return mark("too_thin");
  if (!row.has_summary) return mark("never", "none");
  if (!row.is_current) return mark("stale", "older document");
  return row.method === "extractive" ? mark("extractive") : mark("fresh", "current");
}

function chips(skills) {
  const more = skills.length - SHOWN_SKILLS;
  return el("div", { class: "chips" }, skills.slice(0, SHOWN_SKILLS).map((skill) => el("span", { class: "chip" }, skill)),
    more > 0 ? el("span", { class: "quiet" }, `+${more}`) : null);
}

function pager(found, q, by, after) {
  if (!found.next && Number(after) === 0) return null;
  return el("nav", { class: "pager", "aria-label": "Pages" },
    Number(after) > 0 ? el("a", { class: "button", href: address({ q, by }) }, "First page") : null,
    found.next ? el("a", { class: "button", href: address({ q, by, after: found.next }) }, "Next page") : null);
}

async function showOne(id) {
  fill(status, "Reading…");
  try {
    const [found, user] = await Promise.all([get(`api/candidates/${encodeURIComponent(id)}`), me()]);
    fill(status);
    document.title = `Candidate ${found.candidate_id} · Profiles`;
    const bar = actionBar(found, user, () => showOne(found.candidate_id));
    fill(body, candidateView(found, bar));
  } catch (error) {
    fill(status);
    fill(body, errorBlock(error));
  }
}
