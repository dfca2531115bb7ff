// Rejected answers by reason, who is behind each, and the button that lets the next run ask again.

import { el, fill, mark, me, number, runAction, table } from "./page.js";
import { peopleLink } from "./run_people.js";

export function refusedBlock(runId) {
  const list = el("div");
  const result = el("div", { "aria-live": "polite" });
  let drawn = "";

  async function update(groups) {
    const { may_act: mayAct } = await me();
    const text = JSON.stringify([groups, mayAct]);
    if (text === drawn) return;
    drawn = text;
    const columns = [
      { title: "Reason", header: true, value: (group) => peopleLink(runId, { bucket: group.outcome, reason: group.reason }, group.reason.replaceAll("_", " ")) },
      { title: "Outcome", value: (group) => mark(group.outcome) },
      { title: "Documents", numeric: true, value: (group) => number(group.documents) },
    ];
    if (mayAct) columns.push({ title: "Action", value: retryButton });
    fill(list, table({
      caption: "Documents whose last answer was not simply accepted", columns, rows: groups,
      empty: "None: every answer so far was accepted.",
    }));
  }

  function retryButton(group) {
    // A document without a reason cannot be named to the action.
    if (!["rejected", "extractive"].includes(group.outcome) || group.reason === "unknown") return "–";
    const button = el("button", { type: "button" }, "Retry",
      el("span", { class: "hidden" }, ` ${group.reason.replaceAll("_", " ")}`));
    button.addEventListener("click", async () => {
      button.disabled = true;
      button.disabled = await runAction({ action: "retry", run: runId, reason: group.reason }, result,
        () => `The next run retries these ${number(group.documents)} documents.`);
    });
    return button;
  }

  return { node: el("div", {}, list, result), update };
}
