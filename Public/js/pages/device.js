// One device with everything that is known about it.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api, query as queryText } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate, route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast, toastError } from "../ui/toast.js";
import { AttributeList } from "../devices/attribute-list.js";
import { deviceFacts } from "../devices/facts.js";
import { OwnSettings } from "../devices/own-settings.js";
import { OptOuts, Tags } from "../devices/tags.js";
import { TestPush } from "../devices/test-push.js";
import { deviceHref, deviceName, ending, endingUnder, personHref, word } from "../devices/words.js";
import { AskCampaign } from "../history/ask.js";
import { History } from "../history/history.js";
import { openWhy } from "../why/address.js";
import { Why } from "../why/why.js";

export default function DevicePage({ attrs: { params } }) {
  const address = Object.fromEntries(
    ["kind", "activity"].filter((name) => route.query[name]).map((name) => [name, route.query[name]]),
  );
  const path = inApp(`/devices/${encodeURIComponent(params.installation)}`);
  let others = [];
  const resource = load(async (signal) => {
    const device = await api.get(path, address, { signal });
    // The person's other devices are an addition: the page is complete without them.
    if (device.user_id) {
      others = await api.get(inApp("/devices"), { user_id: device.user_id, limit: 100 }, { signal }).then(
        ({ data }) => data.filter(({ id }) => id !== device.id),
        () => [],
      );
    } else others = [];
    return device;
  });

  async function change(body) {
    await api.patch(path + queryText(address), body);
    await resource.reload();
  }
  const changePerson = (user) => async (body) => {
    await api.patch(inApp(`/people/${encodeURIComponent(user)}`), body);
    await resource.reload();
  };

  async function retire(device) {
    if (
      !await ask({
        title: t("devices.retireTitle", { name: deviceName(device) }),
        text: t("devices.retireText"),
        confirm: t("devices.retire"),
      })
    ) return;
    await api.delete(path + queryText(address)).then(() => {
      toast(t("devices.retiredNow"));
      return resource.reload();
    }, toastError);
  }

  const person = (device) => {
    const { user_id: user, person: known } = device;
    if (!user) return m("section.sheet.stack", m("h2", t("devices.person")), m("p.soft", t("devices.nobody")));
    return m(
      "section.sheet.stack",
      m("div.row", m("h2", t("devices.person")), m("a.push", { href: personHref(user) }, t("devices.openPerson"))),
      m("p.lead.anywhere", user),
      m(AttributeList, { attributes: known?.attributes ?? {} }),
      m("h3", t("person.tags")),
      m(Tags, { values: known?.tags ?? [], change: changePerson(user) }),
      m("h3", t("person.optOuts")),
      m(OptOuts, { values: known?.opt_outs ?? [], change: changePerson(user) }),
      others.length > 0 && [
        m("h3", t("devices.others")),
        m(
          "ul.plain-list",
          others.map((each) =>
            m(
              "li",
              { key: each.id },
              m("a", { href: deviceHref(each) }, deviceName(each)),
              m(
                "span.soft",
                [
                  each.kind !== "alert" && word("devices.kind", each.kind),
                  endingUnder(each),
                  !each.registered && t("devices.retired"),
                ].filter(Boolean).map((part) => ` · ${part}`).join(""),
              ),
            )
          ),
        ),
      ],
    );
  };

  const draw = (device) => [
    !device.registered &&
    m(
      Banner,
      { variant: "warn", class: "banner-above" },
      m("b", t("devices.isRetired", { time: device.retired_at ? moment(device.retired_at) : "–" })),
      " ",
      device.retired_reason && word("devices.retiredReason", device.retired_reason),
    ),
    m(
      "div.with-aside",
      m(
        "div.stack.gap-24",
        m(
          "section.sheet",
          m("h2.visually-hidden", t("devices.facts")),
          m(
            "dl.facts",
            deviceFacts(device).map(([label, value]) => m("div", { key: label }, m("dt", label), m("dd", value))),
          ),
        ),
        m(History, {
          path: `${path}/deliveries`,
          parameters: address,
          title: t("history.device"),
          none: t("history.none"),
          devices: [device],
        }, session.may("campaigns:read") && m(AskCampaign, { onpick: ({ id }) => openWhy({ "why-campaign": id }) })),
        m(
          "section.sheet.stack",
          m("h2", t("devices.ofDevice")),
          m("p.soft", t("devices.ofDeviceText")),
          m(AttributeList, { attributes: device.attributes }),
          m("h3", t("person.tags")),
          m(Tags, { values: device.tags, change }),
          m("h3", t("person.optOuts")),
          m(OptOuts, { values: device.opt_outs, change }),
        ),
        person(device),
      ),
      m(
        "div.stack.gap-24",
        session.may("test-pushes:send") && m(TestPush, {
          device,
          mark: session.may("devices:write") && (() => change({ is_test: true }).catch(toastError)),
        }),
        session.may("devices:write") && m(
          OwnSettings,
          { device, change },
          device.registered && [
            m("hr"),
            m("p.soft", t("devices.retireShort")),
            m("div.row", m(Button, { variant: "danger", onclick: () => retire(device) }, t("devices.retire"))),
          ],
        ),
      ),
    ),
  ];

  return {
    onremove: () => resource.end(),
    view: () => {
      const device = resource.data;
      if (!device && resource.error?.status === 404) {
        return m(
          "div.stack",
          m("h1", t("devices.missing")),
          m("p.soft", t("devices.missingText")),
          m("div.row", m(Button, { onclick: () => navigate(page("/devices")) }, t("devices.all"))),
        );
      }
      return [
        m(
          "div.page-head",
          m(
            "div.grow",
            m("a.back.meta", { href: page("/devices") }, m(Icon, { name: "chevron-left" }), t("devices.title")),
            m("h1", device ? deviceName(device) : ending(params.installation)),
          ),
          device?.is_test && m(Badge, t("devices.test")),
          device && !device.registered && m(Badge, { variant: "warn" }, t("devices.retired")),
        ),
        Loaded({ resource, skeleton: m("div.sheet", m(Skeleton, { rows: 10 })) }, draw),
        m(Why, { installation: params.installation, address }),
      ];
    },
  };
}

/** The tokens of an installation are devices of their own. */
DevicePage.place = ({ app, installation }, { kind, activity }) => [app, installation, kind, activity].join("/");
