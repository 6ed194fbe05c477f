// Makes the draft of a follow-up: a campaign like the one that was sent, for the people of one of its runs.

import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { attempt } from "../campaigns/actions.js";
import { contentOf } from "../draft/variants.js";
import { navigate } from "../router.js";
import { inApp, page } from "../session.js";

/** What the new campaign has of the old one beside its content. Its ID on the screen is its own: both can be seen. */
const kept = [
  "push_type",
  "priority",
  "expiration_seconds",
  "unknown_policy",
  "topic",
  "missed_start",
  "quiet_hours",
  "frequency_cap",
  "ignores_quiet_hours",
  "ignores_frequency_cap",
  "ignores_global_control",
  "pushes_per_second",
  "rejection_threshold_percent",
];

/** The request. `place` is the variant whose content is copied. */
export function requestOf({ campaign, condition, at, place = 0 }) {
  const content = contentOf(campaign.variants?.[place] ?? campaign);
  const members = { ...content, ...Object.fromEntries(kept.map((name) => [name, campaign[name]])) };
  // The push type of a template is its own.
  if (members.template) delete members.push_type;
  return {
    name: t("followUp.name", { name: campaign.name }).slice(0, 200),
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)),
    audience: { include: condition },
    schedule: { kind: "local", at, if_past: "next_day" },
  };
}

/** Makes the draft and opens its content. Resolves to null after telling an error. */
export function createFollowUp(options) {
  return attempt(async () => {
    const made = await api.post(inApp("/campaigns"), requestOf(options), { idempotencyKey: newIdempotencyKey() });
    navigate(page(`/campaigns/${made.id}/content`));
    return made;
  });
}
