// The view of a run's ledger. All numbers are from one response of the server and none is interpolated, so the ledger
// on the screen always balances.

import { byID, make, showMessage, setText } from "./dom.js";
import { clock, count, duration, share } from "./format.js";
import { explanation } from "./reasons.js";

/** The outcomes whose sum is `targeted`. Deferred recipients are counted in their later batch. */
const terms = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"];
/** The interval between updates of the elapsed time in milliseconds. */
const clockTick = 500;

const segments = new Map();
const cells = new Map();
let run;
let ticking;
/** The reasons that the table shows, as JSON. The table is rebuilt only when they change. */
let shownReasons = "";

export function showRun(next, rate) {
  // Runs of a list have neither responses nor reasons; the next update contains them.
  if (next?.id !== run?.id) byID("responses").hidden = byID("reasons").hidden = true;
  run = next;
  byID("run").hidden = !run;
  clearInterval(ticking);
  if (!run) return;
  if (segments.size === 0) build();

  const all = isPlanned() ? run.targeted : Math.max(run.estimated, run.targeted);
  // Cancelled recipients have an outcome, but were not sent to.
  const done = run.targeted - run.pending - run.cancelled;
  for (const term of terms) {
    const segment = segments.get(term);
    segment.style.flexGrow = run[term];
    segment.hidden = run[term] === 0;
  }
  // Recipients that are not planned yet.
  segments.get("rest").style.flexGrow = all - run.targeted;
  segments.get("rest").hidden = all === run.targeted;

  setText(byID("share"), share(done, all));
  setText(byID("share-text"), `${count(done)} of ${isPlanned() ? "" : "about "}${count(all)} recipients`);
  byID("bar").setAttribute("aria-valuenow", all > 0 ? Math.floor((done / all) * 100) : 0);
  // Reserve space for the largest number, so that the layout does not change.
  byID("run").style.setProperty("--digits", `${count(all).length}ch`);

  for (const term of ["targeted", ...terms]) {
    setText(cells.get(term).number, count(run[term]));
    cells.get(term).row.classList.toggle("zero", run[term] === 0);
  }
  byID("simulator-notice").hidden = run.destination !== "simulator";
  showRate(done, rate);
  showElapsed();
  showSeal();
  showMessage(byID("run-notes"), notes().join(" ") || null);
  showResponses();
  showReasons();
  if (!isOver()) ticking = setInterval(showElapsed, clockTick);
}

function showResponses() {
  if (run.delivered === undefined) return;
  byID("responses").hidden = !run.delivered && !run.opened;
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
    const kind = make("span", { className: "kind", textContent: each.outcome });
    kind.dataset.kind = each.outcome;
    const why = make("td", {}, make("b", { textContent: each.reason || "no reason given" }), " ", kind);
    const message = explanation(each.reason);
    if (message) why.append(make("small", { textContent: message }));
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

/** Whether no more recipients will be targeted. */
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
    setText(byID("rate-text"), "per second, on average");
  } else {
    // After a pause the server's rate takes a few seconds to fall to 0.
    const isSending = run.state === "sending" || run.state === "waiting";
    setText(byID("rate"), !isSending ? count(0) : rate === undefined ? "–" : count(rate));
    setText(byID("rate-text"), run.next_at ? `waiting until ${clock(run.next_at)}` : "per second");
  }
}

function showElapsed() {
  const end = isOver() ? Date.parse(run.finished_at) : Date.now();
  setText(byID("elapsed"), duration(end - Date.parse(run.started_at), isOver()));
}

function showSeal() {
  const [look, message] = seal();
  byID("seal").dataset.look = look;
  setText(byID("seal-text"), message);
}

function seal() {
  if (run.verified_at && run.balanced) {
    return ["verified", `Recounted and verified at ${clock(run.verified_at)}: all recipients are accounted for.`];
  }
  if (isOver() || !run.balanced) return ["wrong", "The ledger does not balance. Report this with the server’s log."];
  if (run.pending === 0 && isPlanned()) return ["open", "All recipients have an outcome. Recounting …"];
  return ["open", "The ledger balances so far. It is recounted at the end."];
}

function notes() {
  const notes = [];
  if (run.resent > 0) notes.push(`${count(run.resent)} recipients with an unknown outcome were sent the push again.`);
  if (run.state === "cancelled" && !run.planned_at && run.estimated > run.targeted) {
    notes.push(`The run was cancelled before about ${count(run.estimated - run.targeted)} more recipients were targeted.`);
  }
  return notes;
}
