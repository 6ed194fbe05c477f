// The kinds of events that a webhook can be told, in the order in which people read them. Does not use the DOM.

import { t } from "../i18n.js";

const ofRuns = ["run.finished", "run.paused", "run.failed", "credential.refused", "restore.question"];
const ofDecisions = ["approval.requested", "approval.decided", "test.undecided", "test.decided"];
const ofDevices = ["replies.received", "devices.retired"];

/** Those about devices are for people who may see devices. */
export const kindsOf = (seesDevices) => [...ofRuns, ...ofDecisions, ...(seesDevices ? ofDevices : [])];

/** "a run paused" */
export const nameOf = (kind) => t(`webhooks.kind.${kind.replace(".", "_")}`);
