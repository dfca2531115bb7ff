// How far a run is, in a bar and in words.

import { duration, el, moment, number, percent } from "./page.js";

export function progressBlock(run) {
  const progress = run.progress;
  if (progress === null) {
    return el("p", { class: "quiet" }, run.ended_at
      ? "This run ended before it had a plan."
      : "No plan yet: sources are read, people resolved and documents written first. The stages below show how far that is.");
  }
  if (progress.planned === 0) {
    return el("p", {}, "Nothing to synthesise: no document is stale.");
  }
  const tonight = progress.planned - progress.deferred;
  const share = tonight ? progress.done / tonight : 1;
  const label = `${number(progress.done)} of ${number(tonight)} documents`;
  return el("div", { class: "progress" },
    el("progress", { max: Math.max(1, tonight), value: progress.done, "aria-label": label }),
    el("p", {}, el("strong", {}, percent(share, share > 0.999 && share < 1 ? 2 : 0)), ` · ${label}`,
      progress.deferred ? `, ${number(progress.deferred)} deferred` : "",
      run.ended_at ? "." : endsIn(run)),
    run.ended_at ? null : el("p", { class: "quiet" }, `Basis: ${progress.basis}.`),
    windowLine(run));
}

function endsIn(run) {
  const { ends_at: endsAt, open, documents_per_second: rate } = run.progress;
  if (!open) return ". Every document has its outcome; what is left is publishing.";
  if (!endsAt) return ". No estimate of the end yet.";
  const left = (new Date(endsAt) - new Date(run.now)) / 1000;
  const speed = rate >= 1 ? `${number(rate, 1)} documents a second` : `${number(rate * 60, 1)} documents a minute`;
  return [" · ends in about ", el("strong", {}, duration(left)), ", ", moment(endsAt), ` at ${speed}.`];
}

function windowLine(run) {
  const night = run.night;
  if (!night) return null;
  const closes = ["Tonight's window closes ", moment(night.closes_at), ` (in ${duration(night.seconds_left)}): `];
  const fits = night.left_over === 0
    ? `all ${number(night.fits)} open documents fit.`
    : `${number(night.fits)} of ${number(night.fits + night.left_over)} open documents fit; ` +
      `${number(night.left_over)} come first next time.`;
  return el("p", { class: night.left_over ? "warn" : null }, closes, fits);
}
