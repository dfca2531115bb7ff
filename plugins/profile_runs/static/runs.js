// View Runs: the run in progress and the history, or one run (?run=…).

import { fill, el, errorBlock, get, mountHeader, poll } from "./page.js";
import { runList } from "./run_list.js";
import { runView } from "./run_view.js";

mountHeader("runs");
const main = document.getElementById("main");
const wanted = new URLSearchParams(window.location.search).get("run");
const problem = el("div", { id: "problem" });
const view = wanted ? runView(wanted) : runList();
fill(main, view.heading, problem, view.node);

/** Runs `step` now and again; what cannot be read is said above what was read last. */
function keep(step) {
  poll(async () => {
    const wait = await step();
    problem.replaceChildren();
    return wait;
  }, (error) => fill(problem, errorBlock(error)));
}

view.steps(get).forEach(keep);
