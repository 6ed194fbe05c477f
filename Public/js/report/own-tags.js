// The tags of a campaign that was sent, which can still be changed.

import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { toastError } from "../ui/toast.js";

/** What `Tags` edits, as a draft of the campaign: saved when the reader is done. `take(campaign)` has the saved one. */
export function tagsOf(campaign, take) {
  const value = { tags: campaign.tags };
  return {
    value,
    isEditable: session.may("campaigns:write"),
    problemsAt: () => [],
    change: (fields) => Object.assign(value, fields),
    flush: () =>
      api.patch(inApp(`/campaigns/${campaign.id}`), value, { ifMatch: campaign.version }).then(take, toastError),
  };
}
