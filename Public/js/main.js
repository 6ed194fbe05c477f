// The page: signs in, refreshes the list, and shows the campaign in the URL.

import { API, APIError, ServerUnavailable } from "./api.js";
import { showCampaign } from "./campaign.js";
import { byID, showMessage, setText } from "./dom.js";
import { prepareForm } from "./form.js";
import { hideGate, prepareGate, showGate } from "./gate.js";
import { showList } from "./list.js";
import { showRun } from "./run.js";
import { session } from "./session.js";
import { backoff, pause } from "./stream.js";
import { watch } from "./watch.js";

/** The interval between two refreshes of the list in milliseconds. */
const listInterval = 3_000;

const api = new API();
let app;
/** Campaigns by id: the newest are refreshed regularly, older ones on request. Undefined before the first response. */
let known;
let cursor = null;
/** `sessionController` aborts the work of the session (key and app), `watching` that of the displayed campaign. */
let sessionController = new AbortController();
let watching = new AbortController();
let watched = null;

const form = prepareForm(() => app, async (content) => {
  const campaign = await api.create(app.id, content);
  learn(campaign);
  location.hash = `campaign=${campaign.id}`;
});

const requests = { "sign-in": "signIn", "set-up": "setUp", password: "choosePassword" };
prepareGate(async (mode, values) => {
  await api[requests[mode]](values);
  enter();
});
byID("leave").addEventListener("click", () => guarded(async () => {
  await api.signOut();
  leave();
}));
byID("apps").addEventListener("change", () => {
  session.app = byID("apps").value;
  history.replaceState(null, "", location.pathname + location.search);
  enter();
});
byID("older").addEventListener("click", () => guarded(async () => {
  const page = await api.campaigns(app.id, cursor);
  learn(...page.data);
  cursor = page.next_cursor;
  show();
}));
byID("skip").addEventListener("click", (event) => {
  // The URL names the campaign and must not change.
  event.preventDefault();
  byID("detail").focus();
});
addEventListener("hashchange", () => {
  const link = session.takeLink();
  if (link) enter(link);
  else if (known) arrive();
});

enter(session.takeLink());

// Sign-in and sign-out

/** `link` is what the URL contained: {purpose, token} or null. */
async function enter(link = null) {
  sessionController.abort();
  stopWatching();
  sessionController = new AbortController();
  known = undefined;
  cursor = null;
  showMessage(byID("away"), null);
  const { signal } = sessionController;
  hideGate();
  if (link && link.purpose !== "sign-in") return stopAtGate(link.purpose, { link: link.token });
  await retrying(signal, async () => {
    if (!(await identify(link))) return stopAtGate("sign-in", { message: link && usedLink });
    const apps = await readApps();
    if (signal.aborted) return;
    byID("leave").hidden = false;
    if (apps.length === 0) throw new APIError(404, { detail: noApp() });
    app = apps.find((each) => each.id === session.app) ?? apps[0];
    session.app = app.id;
    showApps(apps);
    const page = await api.campaigns(app.id);
    if (signal.aborted) return;
    known = new Map();
    learn(...page.data);
    cursor = page.next_cursor;
    byID("board").hidden = false;
    arrive();
  });
  if (!signal.aborted && known) keepListFresh(signal);
}

const usedLink = "This address was already used or has expired. Sign in with your password, or ask for a new address.";

/** Finds out who is signed in, with the one-time address if there is one. False when nobody is. */
async function identify(link) {
  session.current = null;
  try {
    // The person may be signed in already, so that the address is not needed.
    if (link) await api.signIn({ link: link.token }).catch((error) => { if (!(error instanceof APIError)) throw error; });
    session.current = await api.session();
    return true;
  } catch (error) {
    if (error.status !== 401) throw error;
    return false;
  }
}

function noApp() {
  return session.may("apps:write", null)
    ? "There is no app yet. Create one with “belfry app create”."
    : "There is no app that you may see. Ask an admin for a role in one.";
}

async function readApps() {
  return (await api.apps()).data.filter((each) => session.may("campaigns:read", each.id));
}

function leave(message) {
  sessionController.abort();
  stopWatching();
  session.clear();
  stopAtGate("sign-in", { message });
}

function stopAtGate(mode, options) {
  byID("board").hidden = true;
  byID("app").hidden = true;
  byID("leave").hidden = true;
  byID("bell").classList.remove("ringing");
  showMessage(byID("away"), null);
  showGate(mode, options);
}

function showApps(apps) {
  byID("app").hidden = false;
  for (const each of ["new", "first"]) byID(each).hidden = !session.may("campaigns:write", app.id);
  setText(byID("app-name"), apps.length > 1 ? "" : app.name);
  setText(byID("app-bundle"), app.bundle_id);
  byID("apps").hidden = apps.length < 2;
  byID("apps").replaceChildren(...apps.map((each) => new Option(each.name, each.id, false, each.id === app.id)));
}

// Refreshing

async function keepListFresh(signal) {
  while (!signal.aborted) {
    await pause(listInterval, signal);
    if (document.hidden) continue;
    await retrying(signal, async () => {
      const page = await api.campaigns(app.id);
      if (signal.aborted) return;
      forgetDeleted(page);
      learn(...page.data);
      show();
    });
  }
}

function learn(...campaigns) {
  for (const campaign of campaigns) known.set(campaign.id, campaign);
}

/** Removes campaigns that are not older than the last one of the first page and missing from it: they were deleted. */
function forgetDeleted({ data, next_cursor }) {
  const ids = new Set(data.map((campaign) => campaign.id));
  const last = next_cursor ? Number(data.at(-1).id) : 0;
  for (const id of known.keys()) if (Number(id) >= last && !ids.has(id)) known.delete(id);
}

/** Retries until the server is available. Other errors are shown and end the retries. */
async function retrying(signal, work) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await work();
      if (!signal.aborted) showAway(null);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerUnavailable)) return showError(error);
      const delay = backoff(failures, error.retryAfter);
      showAway(error, delay);
      await pause(delay, signal);
    }
  }
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    showError(error);
  }
}

function showError(error) {
  if (error.status === 401) return leave(error.message);
  if (error instanceof ServerUnavailable) return showAway(error, 0);
  byID("board").hidden = false;
  setText(byID("trouble-message"), error.message);
  showOnly("trouble");
  if (!(error instanceof APIError)) throw error;
}

function showAway(error, delay) {
  const seconds = Math.max(1, Math.round(delay / 1000));
  showMessage(byID("away"), error && (delay ? `${error.message} Retrying in ${seconds} s.` : error.message));
  byID("board").classList.toggle("stale", Boolean(error));
}

// Showing the campaign in the URL

/** Shows the campaign in the URL after it has changed. */
function arrive() {
  stopWatching();
  show();
  // On a narrow screen the list is now hidden, so move the keyboard focus to the campaign.
  if (!byID("campaigns").checkVisibility()) {
    byID("detail").focus();
    scrollTo(0, 0);
  }
  if (location.hash === "#new") form.show();
}

function show() {
  const isNew = location.hash === "#new";
  const named = new URLSearchParams(location.hash.slice(1)).get("campaign");
  const campaigns = [...known.values()].sort((one, other) => Number(other.id) - Number(one.id));
  const id = isNew ? null : named ?? campaigns[0]?.id;
  showList(campaigns, id);
  byID("older").hidden = !cursor;
  byID("board").dataset.shows = isNew || named || campaigns.length === 0 ? "detail" : "list";
  byID("board").classList.toggle("bare", campaigns.length === 0);
  byID("bell").classList.toggle("ringing", campaigns.some((campaign) => campaign.state === "sending"));

  if (isNew) return showOnly("writing");
  if (!id) return showOnly("empty");
  const campaign = known.get(id);
  if (!campaign) return guarded(async () => replace(await api.campaign(app.id, id)));
  showOnly("campaign");
  showCampaign(campaign, app, move);
  follow(campaign);
}

function showOnly(part) {
  for (const each of ["empty", "trouble", "writing", "campaign"]) byID(each).hidden = each !== part;
  document.title = part === "campaign" ? `${byID("campaign-name").textContent} · Belfry` : "Belfry";
}

async function move(campaign, move) {
  try {
    replace(await api.move(app.id, campaign.id, move));
  } catch (error) {
    if (error.status === 401) return leave(error.message);
    showMessage(byID("campaign-message"), error.message);
    // Another user may have changed the campaign.
    await api.campaign(app.id, campaign.id).then(replace, () => {});
  }
}

function replace(campaign) {
  learn(campaign);
  show();
}

// Following a run

function stopWatching() {
  watching.abort();
  watched = null;
}

/** Starts to watch the run of a campaign once it is displayed, and again when it is started. */
function follow(campaign) {
  const wasIdle = watched?.id === campaign.id && !watched.run && watched.isDone;
  // A paused schedule can be unscheduled; a paused run can't.
  const isScheduled = campaign.actions.includes("unschedule");
  const hasBegun = ["sending", "paused"].includes(campaign.state) && !isScheduled;
  if (watched?.id === campaign.id && !(wasIdle && hasBegun)) {
    watched.hasBegun = hasBegun;
    return showNoRun(campaign);
  }
  stopWatching();
  watching = new AbortController();
  const mine = { id: campaign.id, hasBegun, run: undefined, isDone: false };
  watched = mine;
  showRun(undefined);
  showMessage(byID("no-run"), null);
  const { signal } = watching;
  const view = {
    run: (run, rate) => {
      // A finished or paused run changes its campaign: refresh it immediately.
      if (run && (run.state !== mine.run?.state || run.finished_at)) refresh(campaign, signal);
      mine.run = run;
      showRun(run, rate);
      showNoRun(campaign);
    },
    away: showAway,
  };
  guarded(async () => {
    await watch(api, app.id, campaign.id, view, () => mine.hasBegun, signal);
    mine.isDone = true;
    if (!signal.aborted) showNoRun(campaign);
  });
}

function showNoRun(campaign) {
  const message = watched.hasBegun ? "Evaluating the audience …" : watched.isDone ? "Not sent yet." : null;
  showMessage(byID("no-run"), watched.run ? null : message);
}

async function refresh(campaign, signal) {
  if (!["sending", "paused"].includes(known.get(campaign.id)?.state)) return;
  await api.campaign(app.id, campaign.id).then((fresh) => { if (!signal.aborted) replace(fresh); }, () => {});
}
