// The last step: the conditions of a launch, the question for a large one, and the requests.

import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp, session } from "../session.js";
import { countWords } from "../schedule/count-of.js";
import { ask } from "../ui/dialog.js";

/** From this many devices on, the number is typed. */
const large = 10_000;
/** On Apple also from this share of all reachable devices on. */
const largeShare = 0.25;
/** Seconds in which a start can be undone: more where the number was typed. */
const delay = { usual: 10, typed: 30 };
/** Returns true if a sending is large enough that its number must be typed. */
export async function isLarge(count) {
  if (count >= large) return true;
  if (session.current?.destination !== "apple" || count === 0) return false;
  const { reachable } = await api.post(inApp("/audiences/count"), { audience: {} }, { timeoutMs: 30_000 });
  return count >= reachable * largeShare;
}

/**
 * Launches: `action` is "start" or "schedule". Resolves to true when it was done, to false when the person went back.
 * Throws when the number of devices is not the one that was shown: then the new one is shown.
 */
export async function launch({ draft, forecast, action, confirm }) {
  if (!await draft.flush()) throw new Error(t("review.notSaved"));
  const { count } = forecast;
  if (!await forecast.holds()) {
    throw new Error(t("review.moved", { before: countWords(count), after: countWords(forecast.count) }));
  }
  const { id, version, name } = draft.value;
  const isTyped = await isLarge(count.value);
  if (isTyped) {
    const isSure = await ask({
      title: t("review.sendTo", { count: count.value, devices: countWords(count) }),
      text: t(action === "start" ? "review.sendNowText" : "review.sendToText", {
        name,
        destination: destinationText(),
        seconds: delay.typed,
      }),
      confirm,
      variant: "strong",
      typed: String(count.value),
      typedLabel: t("review.type", { number: String(count.value) }),
    });
    if (!isSure) return false;
  }
  const path = inApp(`/campaigns/${id}/${action}`);
  if (action === "start") {
    await api.post(path, { delay_seconds: isTyped ? delay.typed : delay.usual }, {
      ifMatch: version,
      idempotencyKey: newIdempotencyKey(),
      timeoutMs: 60_000,
    });
  } else {
    await api.post(path, undefined, { ifMatch: version, timeoutMs: 60_000 });
  }
  return true;
}

/** The destination of pushes in words; "" when the server does not say. */
export function destinationText() {
  const kind = session.current?.destination;
  return kind ? t(`destination.${kind}.text`) : "";
}

/** Asks, because it is final. */
export function askCancel(count) {
  return ask({
    title: t("review.cancel"),
    text: count === null ? t("review.cancelText") : t("review.cancelCount", { count: countWords(count) }),
    confirm: t("review.cancelButton"),
  });
}
