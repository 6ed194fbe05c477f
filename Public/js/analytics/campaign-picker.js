// Several campaigns as chips, found by typing a part of their name.

import m from "../m.js";
import { day, t } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { Combobox } from "../ui/combobox.js";
import { campaignName, campaignsOf } from "./names.js";

/** Campaigns that are offered. */
const offered = 8;

/** `value` are ids; `most` of them can be chosen. `onchange(ids)`; the placeholder says what no choice means. */
export function CampaignPicker() {
  /** The campaigns of this page's app, by id. */
  const known = new Map();
  let attrs, asking = "";

  /** The names of what the address names. */
  async function name(ids) {
    const missing = ids.filter((each) => !known.has(each));
    if (!missing.length || asking === missing.join()) return;
    asking = missing.join();
    try {
      (await campaignsOf(missing)).forEach((campaign, key) => known.set(key, campaign));
      m.redraw();
    } catch {
      // Without them, the chips show ids.
    }
  }
  async function searchCampaigns(search, signal) {
    const { data } = await api.get(inApp("/campaigns"), {
      search,
      limit: offered * 3,
      sort: search ? undefined : "updated",
    }, { signal });
    data.forEach((each) => known.set(each.id, each));
    // A draft that was never sent has no numbers.
    return data.filter((each) => each.last_run && !attrs.value.includes(each.id)).slice(0, offered);
  }
  const take = ({ id }) => attrs.onchange([...attrs.value, id]);
  const drop = (ids) => attrs.onchange(attrs.value.filter((each) => !ids.includes(each)));
  const erase = () => attrs.value.length && drop(attrs.value.slice(-1));

  const Chip = (id) =>
    m(
      "span.chip",
      { key: id },
      m("span.cut", campaignName(id, known)),
      m("button.close", {
        type: "button",
        "aria-label": t("audience.removeValue", { value: campaignName(id, known) }),
        onclick: () => drop([id]),
      }, "×"),
    );

  return {
    view: (vnode) => {
      ({ attrs } = vnode);
      const { label, help, hidden, value, most, placeholder } = attrs;
      if (session.app) name(value);
      return m(Combobox, {
        label,
        help,
        hidden,
        placeholder: value.length ? t("analytics.addCampaign") : placeholder,
        none: t("analytics.noCampaigns"),
        search: searchCampaigns,
        take,
        erase,
        option: (
          campaign,
        ) => [m("span.cut", { dir: "auto" }, campaign.name), m("span.meta.push", day(campaign.last_run.started_at))],
        frame: (input) => m("div.many", value.map(Chip), value.length < most && input),
      });
    },
  };
}
