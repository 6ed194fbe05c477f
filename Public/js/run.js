// A run's ledger. Every number shown is the server's, and all are of the same moment: nothing is interpolated, so the
// equation holds on the screen whenever one looks.

import { byID, make, say, setText } from "./dom.js";
import { clock, count, duration, share } from "./format.js";
import { explanation } from "./reasons.js";

/** The right side of the equation. `moved` recipients are counted in the batch they were moved to. */
const terms = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"];
/** Milliseconds. */
const clockTick = 500;

const segments = new Map();
const cells = new Map();
let run;
let ticking;
/** The table is made anew only when it says something else. */
let shownReasons = "";

export function showRun(next, rate) {
  // What a run of a list does not have, its next answer brings.
  if (next?.id !== run?.id) byID("told").hidden = byID("reasons").hidden = true;
  run = next;
  byID("run").hidden = !run;
  clearInterval(ticking);
  if (!run) return;
  if (segments.size === 0) build();

  const all = isPlanned() ? run.targeted : Math.max(run.estimated, run.targeted);
  const done = run.targeted - run.pending;
  for (const term of terms) {
    const segment = segments.get(term);
    segment.style.flexGrow = run[term];
    segment.hidden = run[term] === 0;
  }
  // Whom the planner has not reached yet.
  segments.get("rest").style.flexGrow = all - run.targeted;
  segments.get("rest").hidden = all === run.targeted;

  setText(byID("share"), share(done, all));
  setText(byID("share-words"), `${count(done)} of ${isPlanned() ? "" : "about "}${count(all)} phones`);
  byID("bar").setAttribute("aria-valuenow", all > 0 ? Math.floor((done / all) * 100) : 0);
  // Room for the largest number there can be: the figures change, their places do not.
  byID("run").style.setProperty("--digits", `${count(all).length}ch`);

  for (const term of ["targeted", ...terms]) {
    setText(cells.get(term).number, count(run[term]));
    cells.get(term).row.classList.toggle("zero", run[term] === 0);
  }
  byID("stand-in").hidden = run.destination !== "simulator";
  showRate(done, rate);
  showElapsed();
  showSeal();
  say(byID("run-notes"), notes().join(" ") || null);
  showTold();
  showReasons();
  if (!isOver()) ticking = setInterval(showElapsed, clockTick);
}

function showTold() {
  if (run.delivered === undefined) return;
  byID("told").hidden = !run.delivered && !run.opened;
  for (const each of ["delivered", "opened"]) {
    setText(byID(each), run[each] === null ? "–" : count(run[each]));
    setText(byID(`${each}-share`), run[each] === null || run.accepted === 0 ? "" : share(run[each], run.accepted));
  }
}

function showReasons() {
  if (run.reasons === undefined) return;
  byID("reasons").hidden = run.reasons.length === 0;
  const text = JSON.stringify(run.reasons);
  if (text === shownReasons) return;
  shownReasons = text;
  byID("reason-rows").replaceChildren(...run.reasons.map((each) => {
    const kind = make("span", { className: "kind", textContent: each.kind });
    kind.dataset.kind = each.kind;
    const why = make("td", {}, make("b", { textContent: each.reason || "no reason given" }), " ", kind);
    const words = explanation(each.reason);
    if (words) why.append(make("small", { textContent: words }));
    return make("tr", {}, why, make("td", { className: "number", textContent: count(each.count) }));
  }));
}

function build() {
  for (const kind of [...terms, "rest"]) {
    const segment = make("i", { title: kind === "rest" ? "not planned yet" : kind });
    segment.dataset.kind = kind;
    segments.set(kind, segment);
    byID("bar").append(segment);
  }
  for (const term of ["targeted", ...terms]) {
    const number = make("dd");
    const row = make("div", {}, make("dt", { textContent: term }), number);
    row.dataset.kind = term;
    cells.set(term, { row, number });
    byID("sum").append(row);
  }
}

/** Nobody will be targeted any more. */
function isPlanned() {
  return run.planned_at !== null || isOver();
}

function isOver() {
  return run.finished_at !== null;
}

function showRate(done, rate) {
  if (isOver()) {
    const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
    setText(byID("rate"), seconds > 0 ? count(Math.round(done / seconds)) : "–");
    setText(byID("rate-words"), "a second, on average");
  } else {
    // The server's word comes a few seconds after a pause, when its rate has fallen to 0.
    setText(byID("rate"), run.state !== "sending" ? count(0) : rate === undefined ? "–" : count(rate));
    setText(byID("rate-words"), "a second");
  }
}

function showElapsed() {
  const end = isOver() ? Date.parse(run.finished_at) : Date.now();
  setText(byID("elapsed"), duration(end - Date.parse(run.started_at), isOver()));
}

function showSeal() {
  const [look, words] = seal();
  byID("seal").dataset.look = look;
  setText(byID("seal-words"), words);
}

function seal() {
  if (run.verified_at && run.balanced) {
    return ["verified", `Recounted and verified at ${clock(run.verified_at)}: everyone is accounted for.`];
  }
  if (isOver() || !run.balanced) return ["wrong", "The ledger does not add up. Please report this with the server’s log."];
  if (run.pending === 0 && isPlanned()) return ["open", "Everyone has an outcome. Recounting …"];
  return ["open", "It adds up so far, and is recounted at the end."];
}

function notes() {
  const notes = [];
  if (run.resent > 0) notes.push(`${count(run.resent)} whose outcome was unknown were sent a second time.`);
  if (run.state === "cancelled" && !run.planned_at && run.estimated > run.targeted) {
    notes.push(`It was cancelled before about ${count(run.estimated - run.targeted)} others were targeted.`);
  }
  return notes;
}
