// One campaign: what it says, where it stands, and what can be done with it now.

import { ask, byID, make, say, setText, showPush } from "./dom.js";
import { when } from "./list.js";

/** What the server allows in which state (it has the last word). */
const moves = {
  draft: ["start"],
  failed: ["start"],
  scheduled: ["start", "cancel"],
  sending: ["pause", "cancel"],
  paused: ["resume", "cancel"],
  sent: [],
  cancelled: [],
};
const words = { start: "Start", pause: "Pause", resume: "Resume", cancel: "Cancel" };

let shown;
let isBusy = false;

/** `onMove(move)` resolves when the server has answered, whatever it said. */
export function showCampaign(campaign, app, onMove) {
  setText(byID("campaign-name"), campaign.name);
  setText(byID("state"), campaign.state);
  byID("campaign").dataset.state = campaign.state;
  setText(byID("when"), when(campaign));
  say(byID("campaign-reason"), campaign.reason);

  const alert = campaign.payload?.aps?.alert;
  const title = alert?.title ?? "";
  const body = typeof alert === "string" ? alert : alert?.body ?? "";
  byID("campaign-push").hidden = !title && !body;
  showPush(byID("campaign-push"), app.name, title, body);

  if (shown?.id !== campaign.id) say(byID("campaign-words"), null);
  // The buttons stay as they are while they fit, or the keyboard's place would be lost.
  if (shown?.id !== campaign.id || shown.state !== campaign.state) showButtons(campaign, app, onMove);
  shown = campaign;
}

function showButtons(campaign, app, onMove) {
  const hadFocus = byID("actions").contains(document.activeElement);
  const buttons = (moves[campaign.state] ?? []).map((move) => {
    const className = move === "cancel" ? "" : "strong";
    const button = make("button", { type: "button", className, textContent: words[move] });
    button.addEventListener("click", async () => {
      if (isBusy || !(await isMeant(move, campaign, app))) return;
      say(byID("campaign-words"), null);
      setBusy(true);
      await onMove(campaign, move);
      setBusy(false);
    });
    return button;
  });
  byID("actions").replaceChildren(...buttons);
  if (hadFocus) (buttons[0] ?? byID("detail")).focus();
}

/** Not `disabled`: that would take the keyboard's place away. */
function setBusy(value) {
  isBusy = value;
  byID("actions").setAttribute("aria-busy", value);
}

/** What cannot be undone is asked about. */
async function isMeant(move, campaign, app) {
  if (move === "start") {
    return ask({
      title: `Send “${campaign.name}”?`,
      words: `It goes to every phone of ${app.name} now. What has been sent cannot be called back.`,
      yes: "Start sending",
    });
  }
  if (move === "cancel") {
    return ask({
      title: `Cancel “${campaign.name}”?`,
      words: "Whoever has not got it yet will not get it, and it cannot be taken up again.",
      yes: "Cancel the campaign",
      isGrave: true,
    });
  }
  return true;
}
