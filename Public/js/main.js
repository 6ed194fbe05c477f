// The page: finds a key, keeps the list fresh, and shows what the address names.

import { API, Refusal, ServerAway } from "./api.js";
import { showCampaign } from "./campaign.js";
import { byID, say, setText } from "./dom.js";
import { prepareForm } from "./form.js";
import { showList } from "./list.js";
import { showRun } from "./run.js";
import { session } from "./session.js";
import { backoff, pause } from "./stream.js";
import { watch } from "./watch.js";

/** Milliseconds between two looks at the list. */
const listInterval = 3_000;

let api;
let app;
/** Campaigns by id: the newest are read again and again, older ones when asked for. Undefined before the first answer. */
let known;
let cursor = null;
/** Ends what belongs to the key and the app, and what belongs to the campaign that is shown. */
let stay = new AbortController();
let watching = new AbortController();
let watched = null;

const form = prepareForm(() => app, async (content) => {
  const campaign = await api.create(app.id, content);
  learn(campaign);
  location.hash = `campaign=${campaign.id}`;
});

byID("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  session.clear();
  session.key = byID("key").value.trim();
  byID("key").value = "";
  enter();
});
byID("leave").addEventListener("click", () => leave());
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
  // The address names the campaign and stays.
  event.preventDefault();
  byID("detail").focus();
});
addEventListener("hashchange", () => {
  if (session.takeFromAddress()) enter();
  else if (known) arrive();
});

session.takeFromAddress();
enter();

// Coming in and leaving

async function enter() {
  stay.abort();
  stopWatching();
  stay = new AbortController();
  known = undefined;
  cursor = null;
  say(byID("away"), null);
  if (!session.key) return showGate(null);
  const { signal } = stay;
  api = new API(session.key);
  byID("gate").hidden = true;
  await retrying(signal, async () => {
    const apps = await readApps();
    if (signal.aborted) return;
    if (apps.length === 0) throw new Refusal(404, { detail: "There is no app yet. “belfry app create” makes one." });
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
  if (!signal.aborted) keepListFresh(signal);
}

/** A key that may not list apps can still have come with one. */
async function readApps() {
  try {
    return (await api.apps()).data;
  } catch (error) {
    if (error.status !== 403 || !session.app) throw error;
    return [{ id: session.app, name: `App ${session.app}`, bundle_id: "" }];
  }
}

function leave(words) {
  stay.abort();
  stopWatching();
  session.clear();
  showGate(words);
}

function showGate(words) {
  byID("board").hidden = true;
  byID("app").hidden = true;
  byID("leave").hidden = true;
  byID("bell").classList.remove("ringing");
  say(byID("away"), null);
  say(byID("key-words"), words);
  byID("gate").hidden = false;
  byID("key").focus();
}

function showApps(apps) {
  byID("app").hidden = false;
  byID("leave").hidden = false;
  setText(byID("app-name"), apps.length > 1 ? "" : app.name);
  setText(byID("app-bundle"), app.bundle_id);
  byID("apps").hidden = apps.length < 2;
  byID("apps").replaceChildren(...apps.map((each) => new Option(each.name, each.id, false, each.id === app.id)));
}

// Staying

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

/** The first page holds all that is as new as its last: what is missing there is gone. */
function forgetDeleted({ data, next_cursor }) {
  const ids = new Set(data.map((campaign) => campaign.id));
  const last = next_cursor ? Number(data.at(-1).id) : 0;
  for (const id of known.keys()) if (Number(id) >= last && !ids.has(id)) known.delete(id);
}

/** Tries until the server answers. What it refuses is said, and ends it. */
async function retrying(signal, work) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await work();
      if (!signal.aborted) showAway(null);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerAway)) return complain(error);
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
    complain(error);
  }
}

function complain(error) {
  if (error.status === 401) return leave(error.message);
  if (error instanceof ServerAway) return showAway(error, 0);
  byID("board").hidden = false;
  setText(byID("trouble-words"), error.message);
  showOnly("trouble");
  if (!(error instanceof Refusal)) throw error;
}

function showAway(error, delay) {
  const seconds = Math.max(1, Math.round(delay / 1000));
  say(byID("away"), error && (delay ? `${error.message} Trying again in ${seconds} s.` : error.message));
  byID("board").classList.toggle("stale", Boolean(error));
}

// Showing what the address names

/** The address has changed. */
function arrive() {
  stopWatching();
  show();
  // Where there is room for one of them only, the list has gone, and the keyboard's place with it.
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
    say(byID("campaign-words"), error.message);
    // Somebody else may have been quicker.
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

/** Begins once for each campaign that is shown, and again when it is started. */
function follow(campaign) {
  const wasIdle = watched?.id === campaign.id && !watched.run && watched.isDone;
  const hasBegun = ["sending", "paused"].includes(campaign.state);
  if (watched?.id === campaign.id && !(wasIdle && hasBegun)) {
    watched.hasBegun = hasBegun;
    return showNoRun(campaign);
  }
  stopWatching();
  watching = new AbortController();
  const mine = { id: campaign.id, hasBegun, run: undefined, isDone: false };
  watched = mine;
  showRun(undefined);
  say(byID("no-run"), null);
  const { signal } = watching;
  const view = {
    run: (run, rate) => {
      // A run that ends, or pauses for a reason of its own, takes its campaign along: say so at once.
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
  const words = watched.hasBegun ? "Finding out whom it is for …" : watched.isDone ? "Nothing has been sent yet." : null;
  say(byID("no-run"), watched.run ? null : words);
}

async function refresh(campaign, signal) {
  if (!["sending", "paused"].includes(known.get(campaign.id)?.state)) return;
  await api.campaign(app.id, campaign.id).then((fresh) => { if (!signal.aborted) replace(fresh); }, () => {});
}
