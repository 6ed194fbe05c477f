// Opens campaigns for editing.

import { inApp } from "../session.js";
import { Draft } from "../draft/draft.js";
import { withOwnContent } from "../content/own-content.js";

/** The members that PATCH of a campaign takes. */
const members = [
  "name",
  "tags",
  "payload",
  "content",
  "template",
  "template_version",
  "variants",
  "push_type",
  "priority",
  "expiration_seconds",
  "collapse_id",
  "unknown_policy",
  "topic",
  "audience",
  "schedule",
  "missed_start",
  "goal",
  "winner",
  "control_share",
  "quiet_hours",
  "frequency_cap",
  "ignores_quiet_hours",
  "ignores_frequency_cap",
  "ignores_global_control",
  "pushes_per_second",
  "rejection_threshold_percent",
];

/** A campaign that saves by itself. Call `end()` when the page is left. */
export function openDraft(id) {
  return new Draft(inApp(`/campaigns/${id}`), members, { read: withOwnContent });
}
