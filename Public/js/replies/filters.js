// The filters of the inbox, which are in the address: text, campaign, period.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { Button } from "../ui/button.js";
import { DayField } from "../ui/day-field.js";
import { SelectField } from "../ui/field.js";
import { Search } from "../ui/search.js";
import { limitsOf, periods } from "./period.js";

const names = ["q", "campaign", "period", "from", "to"];
/** Campaigns that can be chosen, the newest. */
const limit = 200;

export const isFiltered = () => names.some((name) => route.query[name]);

/** The query parameters of the list and of the files. */
export function parameters() {
  const { q, campaign } = route.query;
  return { search: q, campaigns: campaign, ...limitsOf(route.query) };
}

export function clearFilters(list) {
  list.restart(Object.fromEntries(names.map((name) => [name, null])));
}

export function Filters() {
  let campaigns = [];
  const abort = new AbortController();
  return {
    oninit() {
      if (!session.may("campaigns:read")) return;
      api.get(inApp("/campaigns"), { limit, sort: "newest" }, { signal: abort.signal }).then(({ data }) => {
        campaigns = data.filter(({ last_run: run }) => run);
        m.redraw();
      }, () => {});
    },
    onremove: () => abort.abort(),
    view: ({ attrs: { list } }) => {
      const { q, campaign, period = "", from, to } = route.query;
      const unlisted = campaign && !campaigns.some(({ id }) => id === campaign)
        ? [{ value: campaign, label: t("repliesPage.campaignID", { id: campaign }) }]
        : [];
      const date = (name, value, others) =>
        m(DayField, {
          label: t(`repliesPage.${name}`),
          hidden: true,
          value,
          ...others,
          onchange: (text) => list.restart({ [name]: text }),
        });
      return m(
        "div.stack.reply-filters",
        m(
          "div.row",
          m(Search, {
            label: t("repliesPage.search"),
            value: q,
            onsearch: (text) => list.restart({ q: text }),
          }),
          (campaigns.length > 0 || campaign) && m(SelectField, {
            label: t("repliesPage.campaign"),
            hidden: true,
            class: "reply-campaign",
            value: campaign ?? "",
            onchange: (id) => list.restart({ campaign: id }),
            options: [
              { value: "", label: t("repliesPage.anyCampaign") },
              ...unlisted,
              ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
            ],
          }),
          m(SelectField, {
            label: t("repliesPage.period"),
            hidden: true,
            value: periods.includes(period) ? period : "",
            options: periods.map((value) => ({
              value,
              label: t(`repliesPage.periods.${value ? `p${value}` : "any"}`),
            })),
            onchange: (value) => list.restart({ period: value, from: null, to: null }),
          }),
          isFiltered() && list.records.length > 0 &&
            m(
              Button,
              { variant: "plain", class: "small", icon: "x-lg", onclick: () => clearFilters(list) },
              t("list.clearFilters"),
            ),
        ),
        period === "days" &&
          m("div.row", date("from", from, { max: to }), m("span.soft", "–"), date("to", to, { min: from })),
      );
    },
  };
}
