// Lines over time with uPlot: one axis for all charts of a run, colours of the page, words beside.

import uPlot from "./vendor/uPlot.esm.js";
import { el, fill, number } from "./page.js";

const HEIGHT = 180;
const COLOURS = ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6"];
const DAY = 86_400;
const sync = uPlot.sync("profiles");
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** The reader's own time; the day where the ticks are days apart, or at midnight. */
function tick(seconds, step) {
  const when = new Date(seconds * 1000);
  const text = clock.format(when);
  return step >= DAY || text === "00:00" ? day.format(when) : text;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(extra) {
  return {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "11px system-ui, sans-serif",
    ...extra,
  };
}

/** Draws bands where `marks` (one value per point) is above zero, behind the lines. */
function markPlugin(marks) {
  return {
    hooks: {
      drawClear: (chart) => {
        const { ctx, bbox } = chart;
        const xs = chart.data[0];
        const width = xs.length > 1 ? xs[1] - xs[0] : 1;
        ctx.save();
        ctx.fillStyle = colour("--bad");
        ctx.globalAlpha = 0.25;
        marks().forEach((value, n) => {
          if (!value) return;
          const left = chart.valToPos(xs[n] - width / 2, "x", true);
          const right = chart.valToPos(xs[n] + width / 2, "x", true);
          ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
        });
        ctx.restore();
      },
    },
  };
}

/**
 * A chart in a <figure>. `update(times, series, marks)`: times in seconds since 1970, series as
 * `[{label, values, colour}]` with null for no measurement, colour a variable of the page or none, marks one number per time or null.
 */
export function timeChart({ title, unit, digits = 0, least = 0, most = null }) {
  const heading = el("h3", {}, title, el("span", { class: "quiet" }, ` ${unit}`));
  const canvas = el("div", { class: "plot", "aria-hidden": "true" });
  const words = el("figcaption", { class: "quiet" });
  const node = el("figure", { class: "chart" }, heading, canvas, words);
  let chart = null;
  let shape = "";
  let shown = null;
  let marked = [];

  function options(series) {
    return {
      width: Math.max(220, canvas.clientWidth || 400),
      height: HEIGHT,
      cursor: { sync: { key: sync.key }, points: { size: 6 } },
      legend: { live: true },
      padding: [8, 8, 0, 0],
      scales: {
        y: { range: (_, low, high) => [least, most ?? Math.max(least + 1, (high ?? 1) * 1.1)] },
      },
      axes: [axis({ space: 70, size: 30, values: (_, ticks, __, ___, step) => ticks.map((v) => tick(v, step)) }), axis({ size: 52, values: (_, ticks) => ticks.map((v) => number(v)) })],
      series: [
        {
          label: "Time",
          value: (_, v) => (v === null ? "–" : `${day.format(new Date(v * 1000))} ${clock.format(new Date(v * 1000))}`),
        },
        ...series.map((line, n) => ({
          label: line.label,
          stroke: colour(line.colour ?? COLOURS[n % COLOURS.length]),
          // Beyond six lines the colours come again, dashed.
          dash: n >= COLOURS.length ? [6, 4] : undefined,
          width: 1.5,
          points: { show: line.values.filter((v) => v !== null).length < 30, size: 4 },
          value: (_, value) => (value === null ? "–" : `${number(value, digits)} ${unit}`),
        })),
      ],
      plugins: [markPlugin(() => marked)],
    };
  }

  function draw() {
    if (shown === null) return;
    const { times, series } = shown;
    const data = [times, ...series.map((line) => line.values)];
    const wanted = JSON.stringify(series.map((line) => line.label));
    if (chart !== null && wanted === shape) {
      chart.setData(data);
    } else {
      if (chart !== null) chart.destroy();
      shape = wanted;
      chart = new uPlot(options(series), data, canvas);
    }
    fill(words, describe(series, unit, digits, marked));
  }

  new ResizeObserver(() => {
    if (chart !== null && canvas.clientWidth > 0 && chart.width !== canvas.clientWidth) {
      chart.setSize({ width: canvas.clientWidth, height: HEIGHT });
    }
  }).observe(canvas);
  window.addEventListener("profiles:theme", () => {
    shape = "";
    draw();
  });

  return {
    node,
    update(times, series, marks = null) {
      shown = { times, series };
      marked = marks ?? [];
      draw();
    },
  };
}

function describe(series, unit, digits, marks) {
  const parts = series.map((line) => {
    const known = line.values.filter((value) => value !== null);
    if (known.length === 0) return null;
    const last = number(known[known.length - 1], digits);
    const high = number(Math.max(...known), digits);
    return `${line.label}: last ${last}, highest ${high} ${unit}`;
  }).filter(Boolean);
  const shownParts = parts.length > 4 ? [...parts.slice(0, 4), `and ${parts.length - 4} more`] : parts;
  const throttled = marks.filter((value) => value > 0).length;
  if (throttled) shownParts.push("red: a card was throttled");
  return shownParts.length ? `${shownParts.join("; ")}.` : "No measurement.";
}
