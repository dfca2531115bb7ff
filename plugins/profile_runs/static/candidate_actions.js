// What may be done about a person. Each action is a run of DAG candidate_actions, started through Airflow's own API
// in the name of the signed-in user. The requests name ids and row numbers only.

import { el, runAction } from "./page.js";

/** The buttons, for who may act; the result is shown below. `reload` reads the person again. */
export function actionBar(found, user, reload) {
  if (!user.may_act) {
    return el("p", { class: "quiet" }, "You have read access. Actions need permission to trigger DAG ", user.actions_dag, ".");
  }
  const status = el("div", { role: "status" });
  const start = (params, after) => run(params, status, { reload, after });
  const ids = { candidate_ids: [found.candidate_id] };
  const isLive = found.state !== "retired";
  return el("div", {},
    el("div", { class: "actions" },
      isLive ? el("button", { type: "button", onclick: () => confirmed(resynthesis(found), () => start({ action: "resynthesise", ...ids }, followResynthesis)) }, "Re-synthesise…") : null,
      found.state === "rejected" ? el("button", { type: "button", onclick: () => start({ action: "retry", ...ids }) }, "Retry in the next run") : null,
      found.rows.length > 1 ? el("button", { type: "button", onclick: () => split(found, start) }, "Split…") : null,
      isLive ? el("button", { type: "button", onclick: () => merge(found, start) }, "Merge…") : null,
      el("button", { type: "button", class: "danger", disabled: Boolean(user.cannot_erase), onclick: () => erase(found, start) }, "Erase…")),
    user.cannot_erase ? el("p", { class: "quiet" }, "Erasing is not available here: ", user.cannot_erase, ".") : null,
    status);
}

async function run(params, status, { reload, after }) {
  const done = await runAction(params, status, (id) => [`Done: ${params.action}.`, after ? after(id) : null]);
  if (done && params.action !== "resynthesise") setTimeout(reload, 1500);
}

function followResynthesis(id) {
  return [" See ", el("a", { href: `runs?run=${encodeURIComponent(`resynthesise__${id}`)}` }, "the run that it started"), "."];
}

function resynthesis(found) {
  return {
    title: `Re-synthesise candidate ${found.candidate_id}`, action: "Re-synthesise",
    body: el("p", {}, "Starts profile_synthesis with force for this person alone. It is queued behind a running one."),
  };
}

function split(found, start) {
  const boxes = found.rows.map((row) => el("input", { type: "checkbox", value: row.row_id ?? "", disabled: row.row_id === null }));
  confirmed({
    title: `Split candidate ${found.candidate_id}`, action: "Split",
    body: [
      el("p", {}, "The ticked rows belong to one other person. The others stay. The next run applies it; ",
        el("code", {}, "profiles decisions --undo"), " revokes it."),
      found.rows.map((row, n) => el("label", { class: "line" }, boxes[n],
        `${row.source}:${row.source_key}, ${row.full_name || "no name"}${row.positions?.length ? `, ${row.positions[0].company || ""}` : ""}`)),
    ],
    isReady: () => {
      const ticked = boxes.filter((box) => box.checked).length;
      return ticked > 0 && ticked < boxes.length;
    },
  }, () => start({
    action: "split", candidate_ids: [found.candidate_id],
    row_ids: boxes.filter((box) => box.checked).map((box) => Number(box.value)),
  }));
}

function merge(found, start) {
  const other = el("input", { id: "other", inputmode: "numeric", autocomplete: "off" });
  const isId = () => /^[1-9]\d{0,17}$/.test(other.value.trim()) && Number(other.value) !== found.candidate_id;
  confirmed({
    title: `Merge with candidate ${found.candidate_id}`, action: "Merge",
    body: [
      el("p", {}, "Both are one person; the older id stays. The next run applies it. You can revoke it."),
      el("label", { for: "other" }, "Id of the other candidate"), el("br"), other,
    ],
    isReady: isId,
  }, () => start({ action: "merge", candidate_ids: [found.candidate_id, Number(other.value.trim())] }));
}

function erase(found, start) {
  const typed = el("input", { id: "confirm", inputmode: "numeric", autocomplete: "off" });
  confirmed({
    title: `Erase candidate ${found.candidate_id}`, action: "Erase", danger: true,
    body: [
      el("p", {}, "Removes this person from all tables of the pipeline and keeps the person out. This cannot be undone."),
      el("p", {}, "Source tables are read-only here. Delete these rows yourself:"),
      el("ul", {}, found.rows.map((row) => el("li", {}, `${row.source}:${row.source_key}`))),
      el("label", { for: "confirm" }, `Type ${found.candidate_id} to confirm`), el("br"), typed,
    ],
    isReady: () => typed.value.trim() === String(found.candidate_id),
  }, () => start({ action: "erase", candidate_ids: [found.candidate_id], confirm: found.candidate_id }));
}

/** Asks in a dialog; calls `go` when it is confirmed. Escape and Cancel do nothing. */
function confirmed({ title, body, action, danger = false, isReady = () => true }, go) {
  const button = el("button", { type: "button", class: danger ? "danger" : "primary", onclick: () => { dialog.close(); go(); } }, action);
  const update = () => { button.disabled = !isReady(); };
  const dialog = el("dialog", { "aria-labelledby": "dialog-title", oninput: update, onclose: () => dialog.remove() },
    el("h2", { id: "dialog-title" }, title), body,
    el("div", { class: "actions" }, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), button));
  update();
  document.body.append(dialog);
  dialog.showModal();
}
