// "Ask about a campaign": one is found by a part of its name, also if it never reached the device.

import m from "../m.js";
import { day, has, t } from "../i18n.js";
import { api } from "../api.js";
import { inApp } from "../session.js";
import { Combobox } from "../ui/combobox.js";

/** Campaigns that are offered. */
const limit = 8;

async function searchCampaigns(search, signal) {
  return (await api.get(inApp("/campaigns"), { search, limit, sort: search ? undefined : "updated" }, { signal })).data;
}

function about({ last_run: run, state }) {
  if (run) return day(run.started_at);
  return state !== "draft" && has(`state.of.${state}`) ? t(`state.of.${state}`) : t("history.unsent");
}

/** `onpick(campaign)` */
export const AskCampaign = {
  view: ({ attrs: { onpick } }) =>
    m(
      "div.ask",
      m(Combobox, {
        label: t("history.ask"),
        help: t("history.askHelp"),
        placeholder: t("history.search"),
        none: t("history.noCampaigns"),
        search: searchCampaigns,
        take: onpick,
        option: (campaign) => [m("span.cut", { dir: "auto" }, campaign.name), m("span.meta.push", about(campaign))],
      }),
    ),
};
