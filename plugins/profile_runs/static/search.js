// View Search preview: one query over summaries and over raw documents, each ranked, side by side.

import { el, errorBlock, fill, get, mark, mountHeader, number, section } from "./page.js";

const params = new URLSearchParams(location.search);
const query = { q: params.get("q") || "", domain: params.get("domain") || "", skill: params.get("skill") || "" };
const page = Number(params.get("page")) || 1;
const status = el("p", { class: "quiet", role: "status" });
const body = el("div");
const domain = el("select", { id: "domain" }, el("option", { value: "" }, "any"));
const skills = el("datalist", { id: "skills" });

mountHeader("search");
fill(document.getElementById("main"), el("h1", {}, "Search preview"),
  el("p", { class: "quiet" }, "Synthesised profiles, ranked by synthesis.search_candidates, and raw documents, " +
    "ranked by ts_rank."),
  finder(), status, body);
offerFilters();
if (query.q) show();
else fill(status, "Words are joined by and; \"a phrase\", or, and -without work too.");

function address(changes) {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...changes })) if (value) next.set(name, value);
  return `search?${next}`;
}

function finder() {
  const text = el("input", { id: "q", type: "search", maxlength: 300, autocomplete: "off", value: query.q });
  const skill = el("input", { id: "skill", list: "skills", maxlength: 100, autocomplete: "off", value: query.skill });
  return el("form", {
    class: "find", role: "search",
    onsubmit: (event) => {
      event.preventDefault();
      if (text.value.trim()) {
        location.assign(address({ q: text.value.trim(), domain: domain.value, skill: skill.value.trim() }));
      }
    },
  },
  el("div", { class: "wide" }, el("label", { for: "q" }, "Query"), text),
  el("div", {}, el("label", { for: "domain" }, "Domain"), domain),
  el("div", {}, el("label", { for: "skill" }, "Skill"), skill, skills),
  el("button", { class: "primary", type: "submit" }, "Search"));
}

async function offerFilters() {
  if (query.domain) domain.append(el("option", { value: query.domain, selected: true }, query.domain));
  try {
    const found = await get("api/search/filters");
    domain.append(...found.domains.filter((name) => name !== query.domain).map((name) => el("option", { value: name }, name)));
    skills.append(...found.skills.map((name) => el("option", { value: name })));
  } catch (error) {
    fill(status, errorBlock(error));
  }
}

async function show() {
  fill(status, "Searching…");
  try {
    const found = await get("api/search", { ...query, page });
    fill(status, heading(found));
    fill(body, el("div", { class: "both" },
      side("Synthesised profiles", found.summaries, "raw", "No profile is published yet; run profile_synthesis."),
      side("Raw documents", found.documents, "synthesised", "No document is indexed yet. The report of a run does it after publishing.")),
    pager(found));
  } catch (error) {
    fill(status);
    fill(body, errorBlock(error));
  }
}

function heading(found) {
  if (!found.terms) return "The query has only stop words.";
  const shared = found.compared
    ? ` ${number(found.shared)} of the first ${number(found.compared)} profiles are among the first ${number(found.compared)} raw documents.` : "";
  return ["Read as ", el("code", {}, found.terms), found.skill ? `, skill ${found.skill}` : "", ".", shared];
}

function side(title, found, other, none) {
  const count = found.is_bounded
    ? `More than ${number(found.matched)} match; ${number(found.matched)} of them are ranked. Narrow the query for a full ranking.`
    : `${number(found.matched)} ${found.matched === 1 ? "match" : "matches"}.`;
  return section(title,
    el("p", { class: "quiet" }, found.has_rows ? count : none),
    el("ol", { class: "hits" }, found.hits.map((hit) => el("li", { class: "hit" },
      el("span", { class: "place" }, el("span", { class: "hidden" }, "Place "), hit.place), hitBody(hit, other)))));
}

function hitBody(hit, other) {
  return el("div", {},
    el("div", { class: "row" },
      el("a", { href: `candidates?id=${hit.candidate_id}` }, hit.full_name || `candidate ${hit.candidate_id}`),
      hit.method === "extractive" ? mark("extractive") : null,
      el("span", { class: "quiet score" }, `score ${score(hit.score)}`),
      el("span", { class: "quiet" }, hit.other_place ? `${other}: place ${hit.other_place}` : `${other}: not found`)),
    hit.passages.length ? el("p", {}, hit.passages.map((parts, n) => [n ? " … " : null, marked(parts)])) : null,
    hit.skills.length ? el("p", { class: "quiet" }, el("span", { class: "hidden" }, "Skills: "), marked(hit.skills)) : null,
    hit.domains.length ? el("p", { class: "quiet" }, hit.domains.join(", ")) : null);
}

/** Words that stand far apart score next to nothing, which is not the same as nothing. */
function score(value) {
  return value > 0 && value < 0.0001 ? "< 0.0001" : value.toFixed(4);
}

/** Parts of a text, the matching ones marked; each is a text node. */
function marked(parts) {
  return parts.map(([text, isMatch]) => (isMatch ? el("mark", {}, text) : text));
}

function pager(found) {
  if (found.pages <= 1) return null;
  return el("nav", { class: "pager", "aria-label": "Pages" },
    found.page > 1 ? el("a", { class: "button", href: address({ page: found.page - 1 }) }, "Previous page") : null,
    el("span", { class: "quiet" }, `Page ${found.page} of ${found.pages}`),
    found.page < found.pages ? el("a", { class: "button", href: address({ page: found.page + 1 }) }, "Next page") : null);
}
