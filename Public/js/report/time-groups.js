// The groups of a campaign at each person's best time, which get the same text at other times.

import { t } from "../i18n.js";

const groups = ["best", "usual", "any"];

/** The name of a group by its place, in the reader's language. */
export const groupName = (place) => t(`timeGroup.${groups[place]}`);
