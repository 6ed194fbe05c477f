// The address of a campaign without a step: on to the step that matters in its state.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, APIError } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page } from "../session.js";
import { Button } from "../ui/button.js";

const steps = { draft: "content", scheduled: "review" };

export default function CampaignPage({ attrs }) {
  const { campaign: id } = attrs.params;
  const resource = load(async (signal) => {
    const campaign = await api.get(inApp(`/campaigns/${id}`), {}, { signal });
    navigate(page(`/campaigns/${id}/${steps[campaign.state] ?? "report"}`), { replace: true });
  });
  return {
    onremove: () => resource.end(),
    view: () => (resource.error instanceof APIError && resource.error.status === 404
      ? m("div.stack", m("h1", t("error.missing")), m("p.soft", t("error.missingText")), m("div.row", m(Button, { href: page("/campaigns") }, t("nav.campaigns"))))
      : Loaded({ resource }, () => null)),
  };
}
