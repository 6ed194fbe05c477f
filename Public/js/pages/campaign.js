// The address of a campaign without a step: on to the step that matters in its state.

import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, LoadedPage } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page } from "../session.js";

const steps = { draft: "content", scheduled: "review" };

export default function CampaignPage({ attrs }) {
  const { campaign: id } = attrs.params;
  const resource = load(async (signal) => {
    const campaign = await api.get(inApp(`/campaigns/${id}`), {}, { signal });
    navigate(page(`/campaigns/${id}/${steps[campaign.state] ?? "report"}`), { replace: true });
  });
  return {
    onremove: () => resource.end(),
    view: () => LoadedPage({ resource, list: { href: page("/campaigns"), title: t("nav.campaigns") } }, () => null),
  };
}
