// A run by the address of its page.

import { t } from "../i18n.js";
import { api, APIError } from "../api.js";
import { inApp } from "../session.js";

/** A run of the campaign. The API finds runs of other campaigns too, which would be shown under a false name. */
export async function runOf(campaign, id, signal) {
  const run = await api.get(inApp(`/runs/${id}`), {}, { signal });
  if (run.campaign_id === campaign) return run;
  throw new APIError(404, { code: "run-not-found", detail: t("report.otherRun") });
}
