// Draws the plots of the run report. Runs in one module with uPlot, which comes before it.
const plots = JSON.parse(document.getElementById("charts").textContent);
const inks = ["#0b6bcb", "#d9730d", "#2f9e61", "#b1439b", "#1b8a9a", "#c23b4e", "#7c63c8", "#8a7000"];
const nightInks = ["#5aa9f5", "#f0a04b", "#43b878", "#dd82c9", "#3aafc0", "#f07f8d", "#a892ee", "#d1b53f"];
const dark = matchMedia("(prefers-color-scheme: dark)");
let drawn = [];

const clockWith = (parts) => { const time = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit", ...parts }); return (seconds) => time.format(seconds * 1000); };
const [clock, exact] = [clockWith({}), clockWith({ second: "2-digit" })];

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

const said = (value) => (value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 1 }));

function shade(plot, chart) {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.fillStyle = css("--mark");
  for (const [from, to] of chart.marks) {
    const start = Math.max(left, plot.valToPos(chart.start + from, "x", true));
    const end = Math.min(left + width, plot.valToPos(chart.start + to, "x", true));
    plot.ctx.fillRect(start, top, Math.max(2, end - start), height);
  }
  plot.ctx.restore();
}

// A page of paper is laid out after this script: its columns are 680 and 325 pixels wide.
const paperWidth = (place) => (place.clientWidth > 0.7 * document.body.clientWidth ? 680 : 325);

function draw(onPaper) {
  drawn.forEach((plot) => plot.destroy());
  const palette = dark.matches && !onPaper ? nightInks : inks;
  const axis = { stroke: onPaper ? "#444" : css("--soft"), grid: { stroke: onPaper ? "#ddd" : css("--line"), width: 1 }, ticks: { stroke: onPaper ? "#ddd" : css("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
  drawn = plots.map((chart) => {
    const place = document.getElementById(`plot-${chart.id}`);
    return new uPlot(
      {
        width: onPaper ? paperWidth(place) : place.clientWidth,
        height: onPaper ? 150 : 190,
        cursor: { drag: { x: true, y: false } },
        legend: { live: !onPaper },
        scales: { y: { range: (_, low, high) => [chart.id === "celsius" ? Math.max(0, low - 10) : Math.min(0, low), high === low ? high + 1 : high * 1.05] } },
        tzDate: (stamp) => uPlot.tzDate(new Date(stamp * 1000), "Etc/UTC"),
        axes: [{ ...axis, values: (_, ticks, __, ___, step) => ticks.map(step < 60 ? exact : clock) }, { ...axis, size: 56, values: (_, ticks) => ticks.map((value) => compact.format(value)) }],
        series: [
          { label: "UTC", value: (_, value) => (value == null ? "–" : exact(value)) },
          ...chart.lines.map((line, n) => ({
            label: line.label,
            stroke: palette[n % palette.length],
            width: 1.5,
            spanGaps: chart.is_sparse,
            dash: n >= palette.length ? [6, 3] : undefined,
            points: { show: chart.seconds.length < 3, size: 5 },
            value: (_, value) => (value == null ? "–" : `${said(value)} ${chart.unit}`),
          })),
        ],
        hooks: { drawClear: [(self) => shade(self, chart)] },
      },
      [chart.seconds.map((second) => chart.start + second), ...chart.lines.map((line) => line.values)],
      place,
    );
  });
  document.body.classList.add("drawn");
}

draw(false);
dark.addEventListener("change", () => draw(false));
addEventListener("beforeprint", () => draw(true));
addEventListener("afterprint", () => draw(false));
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => drawn.forEach((plot, n) => plot.setSize({ width: document.getElementById(`plot-${plots[n].id}`).clientWidth, height: 190 })), 100);
});

// On a narrow screen each row is a block (shared.css): its cells need their column's title and one child.
for (const table of document.querySelectorAll(".scroll table")) {
  const titles = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent);
  for (const cell of table.querySelectorAll("tbody tr > *")) {
    cell.dataset.title = cell.colSpan > 1 ? "" : titles[cell.cellIndex];
    const child = document.createElement("div");
    child.append(...cell.childNodes);
    cell.append(child);
  }
}
