import m from "../m.js";
import { t } from "../i18n.js";
import { page } from "../session.js";

/** The campaign of a run, with its app, as the way to the run's report. */
export const RunLink = {
  view: ({ attrs: { run } }) => [
    m(
      "a",
      { href: page(`/campaigns/${run.campaign_id}/runs/${run.run_id}`, run.app_id) },
      run.campaign_name,
    ),
    " ",
    m("span.meta", t("status.ofApp", { app: run.app_name })),
  ],
};
