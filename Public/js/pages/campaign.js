// The address of a campaign without a step: on to the step that matters in its state.

import m from "../m.js";
import { api, APIError } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page } from "../session.js";
import { Missing } from "../campaigns/missing.js";

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
      ? m(Missing)
      : Loaded({ resource }, () => null)),
  };
}
