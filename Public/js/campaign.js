// The view of a campaign: its content, its state and its actions.

import { ask, byID, make, showMessage, setText, showPush } from "./dom.js";
import { when } from "./list.js";
import { session } from "./session.js";

/** The actions with a button, in order. A campaign says which of them it allows. */
const moves = ["start", "pause", "resume", "cancel"];
const labels = { start: "Start", pause: "Pause", resume: "Resume", cancel: "Cancel" };

let shown;
let isBusy = false;

/** `onMove(campaign, move)` resolves after the server has answered, also with an error. */
export function showCampaign(campaign, app, onMove) {
  setText(byID("campaign-name"), campaign.name);
  setText(byID("state"), campaign.state);
  byID("campaign").dataset.state = campaign.state;
  setText(byID("when"), when(campaign));
  showMessage(byID("campaign-reason"), campaign.reason);

  const alert = campaign.payload?.aps?.alert;
  const title = alert?.title ?? "";
  const body = typeof alert === "string" ? alert : alert?.body ?? "";
  byID("campaign-push").hidden = !title && !body;
  showPush(byID("campaign-push"), app.name, title, body);

  if (shown?.id !== campaign.id) showMessage(byID("campaign-message"), null);
  // Buttons are replaced only when the state changes, to keep the keyboard focus.
  if (shown?.id !== campaign.id || shown.state !== campaign.state) showButtons(campaign, app, onMove);
  shown = campaign;
}

function showButtons(campaign, app, onMove) {
  const hadFocus = byID("actions").contains(document.activeElement);
  const mayMove = session.may("campaigns:send", app.id);
  const buttons = moves.filter((move) => mayMove && campaign.actions.includes(move)).map((move) => {
    const className = move === "cancel" ? "" : "strong";
    const button = make("button", { type: "button", className, textContent: labels[move] });
    button.addEventListener("click", async () => {
      if (isBusy || !(await confirmMove(move, campaign, app))) return;
      showMessage(byID("campaign-message"), null);
      setBusy(true);
      await onMove(campaign, move);
      setBusy(false);
    });
    return button;
  });
  byID("actions").replaceChildren(...buttons);
  if (hadFocus) (buttons[0] ?? byID("detail")).focus();
}

/** Sets aria-busy and not `disabled`, which would lose the keyboard focus. */
function setBusy(value) {
  isBusy = value;
  byID("actions").setAttribute("aria-busy", value);
}

/** Asks for confirmation of actions that cannot be undone. */
async function confirmMove(move, campaign, app) {
  if (move === "start") {
    return ask({
      title: `Send “${campaign.name}”?`,
      message: `The campaign is sent to its recipients in ${app.name} now. Pushes that were sent can't be recalled.`,
      yes: "Start sending",
    });
  }
  if (move === "cancel") {
    return ask({
      title: `Cancel “${campaign.name}”?`,
      message: "Recipients without a push yet won't get one. A cancelled campaign can't be resumed.",
      yes: "Cancel campaign",
      isDestructive: true,
    });
  }
  return true;
}
