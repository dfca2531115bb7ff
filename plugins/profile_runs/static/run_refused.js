// Refused answers by reason, and the button that lets the next run ask again.

import { act, actionState, dagRunUrl, el, errorBlock, fill, me, number, table } from "./page.js";

const SECONDS_BETWEEN_LOOKS = 2;
const MOST_LOOKS = 150;

export function refusedBlock(runId) {
  const list = el("div");
  const result = el("div", { "aria-live": "polite" });
  const node = el("div", {}, list, result);
  let drawn = "";

  async function update(groups) {
    const { may_act: mayAct } = await me();
    const text = JSON.stringify([groups, mayAct]);
    if (text === drawn) return;
    drawn = text;
    const columns = [
      { title: "Outcome", value: (group) => group.outcome },
      { title: "Reason", header: true, value: (group) => group.reason.replaceAll("_", " ") },
      { title: "Documents", numeric: true, value: (group) => number(group.documents) },
    ];
    if (mayAct) columns.push({ title: "Action", value: (group) => retryButton(group) });
    fill(list, table({
      caption: "Documents whose last answer was not simply accepted", columns, rows: groups,
      empty: "None: every answer so far was accepted.",
    }));
  }

  function retryButton(group) {
    // A document without a reason cannot be named to the action.
    if (!["rejected", "extractive"].includes(group.outcome) || group.reason === "unknown") return "–";
    const button = el("button", { type: "button" }, "Ask again",
      el("span", { class: "hidden" }, ` about ${group.reason.replaceAll("_", " ")}`));
    button.addEventListener("click", () => retry(group, button));
    return button;
  }

  async function retry(group, button) {
    button.disabled = true;
    try {
      const started = await act({ action: "retry", run: runId, reason: group.reason });
      await follow(started.dag_run_id, group);
    } catch (error) {
      fill(result, errorBlock(error));
      button.disabled = false;
    }
  }

  /** Says how the action goes until it has ended. */
  async function follow(actionId, group) {
    const { actions_dag: dag } = await me();
    const link = () => el("a", { href: dagRunUrl(dag, actionId), target: "_top" }, "DAG run");
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const state = await actionState(actionId);
      const words = {
        success: `The next run asks about these ${number(group.documents)} documents again.`,
        failed: "The action failed; its log says why.",
      }[state];
      fill(result, el("p", { class: "notice" }, words || `Asked: ${state}.`, " ", link()));
      if (words) return;
      await new Promise((resolve) => setTimeout(resolve, SECONDS_BETWEEN_LOOKS * 1000));
    }
  }

  return { node, update };
}
