// Takes a scheduled campaign off its schedule: it is a draft again.

import { t } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { toast } from "../ui/toast.js";
import { attempt } from "./actions.js";

/** Resolves to the campaign as it is afterwards, or to null after telling the error. */
async function unschedule({ id, version }) {
  const changed = await attempt(() => api.post(inApp(`/campaigns/${id}/unschedule`), undefined, { ifMatch: version }));
  if (changed) toast(t("review.unscheduled"));
  return changed;
}

/** The entry of a menu, or null. `take(campaign)` shows the campaign as it is afterwards. */
export function unscheduleItem(campaign, take) {
  if (!campaign.actions.includes("unschedule") || !session.may("campaigns:send")) return null;
  return {
    label: t("review.unschedule"),
    icon: "calendar-x",
    onclick: async () => {
      const changed = await unschedule(campaign);
      if (changed) await take(changed);
    },
  };
}
