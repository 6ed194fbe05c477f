// "Why?" in a dialog: loads what the address asks about, and says it.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api } from "../api.js";
import { ending } from "../devices/words.js";
import { load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Skeleton } from "../ui/skeleton.js";
import { Answer } from "./answer.js";
import { askedWhy, closeWhy, forgetWhy } from "./address.js";
import { campaignsIn } from "./conditions.js";

/** The names of campaigns by id; those that can't be read are left out. */
async function namesOf(ids, signal) {
  const found = await Promise.all(
    ids.map((id) => api.get(inApp(`/campaigns/${id}`), {}, { signal }).then(({ name }) => [id, name], () => null)),
  );
  return Object.fromEntries(found.filter(Boolean));
}

function Opened({ attrs: { installation, address, run, campaign } }) {
  const resource = load(async (signal) => {
    const answer = await api.get(inApp(`/devices/${encodeURIComponent(installation)}/why`), {
      ...address,
      run,
      campaign,
    }, { signal });
    const name = answer.delivery?.campaign_name;
    const campaigns = await namesOf([...campaignsIn(answer.conditions), ...(name ? [] : [answer.campaign_id])], signal);
    return {
      answer,
      campaigns,
      name: name ?? campaigns[answer.campaign_id] ?? t("history.campaign", { id: answer.campaign_id }),
    };
  });
  const report = () =>
    resource.data && page(`/campaigns/${resource.data.answer.campaign_id}/runs/${resource.data.answer.run_id}`);
  function content() {
    const { code, status } = resource.error ?? {};
    if (status === 404) {
      return code === "device-not-found"
        ? m("p.lead", t("why.noDevice"))
        : m("div.stack", m("p.lead", t("why.missing")), m("p.soft", t("why.missingText")));
    }
    return Loaded({ resource, skeleton: m(Skeleton, { rows: 8, height: 32 }) }, (data) => [
      m(
        "p.meta",
        t("why.about", {
          run: t("report.run", { time: moment(data.answer.started_at) }),
          device: ending(installation),
        }),
      ),
      m(Answer, data),
    ]);
  }
  return {
    onremove() {
      forgetWhy();
      resource.end();
    },
    view: () =>
      m(Dialog, {
        title: t("why.title"),
        wide: true,
        onclose: closeWhy,
        actions: [
          m(Button, { onclick: closeWhy, autofocus: true }, t("action.close")),
          resource.data && session.may("campaigns:read") &&
          m(Button, { variant: "plain", href: report() }, t("why.report")),
        ],
      }, m("div.why.stack", content())),
  };
}

/**
 * The dialog while the address asks. `installation` of the page, and `address`: its kind and activity, if it is not for
 * alerts.
 */
export const Why = {
  view: ({ attrs: { installation, address } }) => {
    const asked = askedWhy();
    const device = installation ?? asked?.device;
    return asked && device
      ? [
        m(Opened, {
          key: `${device} ${asked.run} ${asked.campaign}`,
          installation: device,
          address,
          run: asked.run,
          campaign: asked.campaign,
        }),
      ]
      : null;
  },
};
