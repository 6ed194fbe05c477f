// The rows of a breakdown: the name of a group, and the numbers that are shown of it.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { page } from "../session.js";
import { localeName } from "../devices/words.js";
import { reasonCode, reasonName } from "../reasons.js";
import { Kind } from "../ui/badge.js";
import { notKnown, properties } from "../recipients/filter.js";
import { measureName, notAccepted, shareOf } from "./measures.js";
import { campaignName, isLastRun, peopleHref } from "./names.js";

/** The properties by which pushes are grouped here; delays have a chart of their own. */
export const groupings = ["campaign", "locale", "os_version", "app_version", "tag", "category", "action", "reason"];

/** A share with its number, as a bar from zero to the best of the table. */
function Bar(count, whole, best, shown = number(count)) {
  const part = whole ? Math.min(1, count / whole) : 0;
  return m(
    "span.share-cell",
    m("span.share-number", shown),
    m("span.share-bar", { "aria-hidden": "true" }, m("i", { style: { width: `${best ? (part / best) * 100 : 0}%` } })),
    m("span.meta.share-part", shareOf(count, whole)),
  );
}

function groupName(by, group, campaigns) {
  const { value } = group;
  if (value === "") {
    return m(
      "span.soft",
      t(
        by === "reason"
          ? "reasons.none"
          : by === "category"
          ? "analytics.noCategory"
          : by === "language"
          ? "analytics.defaultText"
          : "analytics.notKnown",
      ),
    );
  }
  if (by === "locale" || by === "language") return [localeName(value), " ", m("span.soft.nowrap", value)];
  if (by === "reason") return [reasonName(value), reasonCode(value) && [" ", m("code.soft", value)]];
  if (by === "category") return value === "0" ? t("analytics.single") : value;
  if (by !== "campaign" || value === "0" || !campaigns.has(value)) {
    return by === "campaign" ? campaignName(value, campaigns) : value;
  }
  return m(
    "a.row-link",
    { href: page(`/campaigns/${value}/report`) },
    m("b.campaign-name", { dir: "auto" }, campaigns.get(value).name),
  );
}

/**
 * The link of a number. A run's leads to the devices with the group's property; a campaign's to those of its newest
 * run, if that is its only one.
 */
function hrefOf(by, group, measure, campaigns, of) {
  if (!group[measure]) return null;
  if (of) {
    return properties.includes(by) ? peopleHref(of.campaign, of.run, measure, { [by]: group.value || notKnown }) : null;
  }
  const run = campaigns?.get(group.value)?.last_run;
  return by === "campaign" && isLastRun(group, run) ? peopleHref(group.value, run.id, measure) : null;
}

function cell(by, group, measure, campaigns, of) {
  const href = hrefOf(by, group, measure, campaigns, of);
  return href
    ? m("a.figure-link", { href }, number(group[measure]))
    : group[measure]
    ? number(group[measure])
    : m("span.soft", "0");
}

/**
 * Columns of the table for `by`. `whole` are the counts in total, `groups` all rows, `campaigns` a Map for `by`
 * campaign, `of` the {campaign, run} of a report.
 */
export function columnsFor(by, { whole, groups, campaigns, of }) {
  const first = {
    id: "value",
    label: t(`analytics.by.${by}`),
    wide: true,
    cell: (group) => groupName(by, group, campaigns),
  };
  const count = (measure) => ({
    id: measure,
    label: measureName(measure),
    number: true,
    cell: (group) => cell(by, group, measure, campaigns, of),
  });
  if (by === "reason") {
    const kindOf = (group) => notAccepted.find((each) => group[each] > 0) ?? "unknown";
    const best = Math.max(...groups.map(({ targeted }) => targeted / whole.targeted), 0);
    return [first, {
      id: "outcome",
      label: t("recipients.outcome"),
      cell: (group) => m(Kind, { kind: kindOf(group) }, measureName(kindOf(group))),
    }, {
      id: "devices",
      label: t("analytics.ofTargeted"),
      number: true,
      cell: (group) => Bar(group.targeted, whole.targeted, best),
    }];
  }
  if (by === "action") {
    const value = groups.some(({ conversion_value: sum }) => sum !== 0) &&
      {
        id: "conversion_value",
        label: measureName("conversion_value"),
        number: true,
        cell: ({ conversion_value: sum }) => number(sum),
      };
    return [first, count("actions"), count("replies"), count("conversions"), value].filter(Boolean);
  }
  const best = Math.max(...groups.map(({ engaged, accepted }) => (accepted ? Math.min(1, engaged / accepted) : 0)), 0);
  return [
    first,
    count("targeted"),
    count("accepted"),
    count("delivered"),
    {
      id: "engaged",
      label: t("analytics.engagedOfAccepted"),
      number: true,
      cell: (group) => Bar(group.engaged, group.accepted, best, cell(by, group, "engaged", campaigns, of)),
    },
    // Omits columns that are zero in every row.
    ...["opened", "influenced", "actions", "replies", "conversions"].filter((measure) => whole[measure] > 0).map(count),
  ];
}
