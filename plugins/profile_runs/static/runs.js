// View Runs: the run in progress and the history, one run (?run=…), or the people in one of its buckets.

import { fill, el, errorBlock, get, mountHeader, poll } from "./page.js";
import { runList } from "./run_list.js";
import { peopleView } from "./run_people.js";
import { runView } from "./run_view.js";

mountHeader("runs");
const main = document.getElementById("main");
const params = new URLSearchParams(window.location.search);
const wanted = params.get("run");
const problem = el("div", { id: "problem" });
const view = wanted ? peopleView(params) || runView(wanted) : runList();
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
