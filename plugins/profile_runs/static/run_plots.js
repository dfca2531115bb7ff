// Throughput of lanes and what their cards did, above one another on one time axis.

import { el, fill, get } from "./page.js";
import { timeChart } from "./charts.js";

export function runPlots(runId) {
  const throughput = timeChart({ title: "Throughput", unit: "output tok/s" });
  const heat = timeChart({ title: "Temperature", unit: "°C", least: 20, most: 100 });
  const power = timeChart({ title: "Power", unit: "W" });
  const load = timeChart({ title: "Utilisation", unit: "%", most: 100 });
  const memory = timeChart({ title: "Memory", unit: "GiB", digits: 1 });
  const ofCards = [
    [heat, (card) => card.celsius],
    [power, (card) => card.watts],
    [load, (card) => card.utilisation],
    [memory, (card) => card.memory_used_mb.map((mb) => (mb === null ? null : mb / 1024))],
  ];
  const lanes = el("div", { class: "plots" });
  const cards = el("div", { class: "plots" });
  const node = el("div", {}, lanes, cards);
  let hasLanes = null;
  let hasCards = null;

  async function refresh() {
    const found = await get("api/runs/series", { run: runId });
    const times = found.seconds.map((second) => found.start + second);
    if (hasLanes !== found.lanes.length > 0) {
      hasLanes = found.lanes.length > 0;
      fill(lanes, hasLanes ? throughput.node : el("p", { class: "quiet" }, "No lane has ended a lease yet."));
    }
    throughput.update(times, found.lanes.map((lane) =>
      ({ label: `lane ${lane.lane}`, values: lane.output_tokens_per_second })));
    if (hasCards !== found.cards.length > 0) {
      hasCards = found.cards.length > 0;
      fill(cards, hasCards
        ? ofCards.map(([chart]) => chart.node)
        : el("p", { class: "quiet" }, "No GPU was sampled in this run."));
    }
    if (!hasCards) return;
    const marks = times.map((_, n) => found.cards.reduce((sum, card) => sum + (card.throttled[n] || 0), 0));
    const alone = (card) => found.cards.filter((other) => other.lane === card.lane).length === 1;
    const label = (card, n) => (alone(card) ? `lane ${card.lane}` : `lane ${card.lane}, card ${n}`);
    for (const [chart, values] of ofCards) {
      chart.update(times, found.cards.map((card, n) => ({ label: label(card, n), values: values(card) })), marks);
    }
  }

  return { node, refresh };
}
