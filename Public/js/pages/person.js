// A person of the app: the values on all of their devices, and their erasure.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api, send } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";
import { AttributeEditor } from "../devices/attribute-editor.js";
import { AttributeList } from "../devices/attribute-list.js";
import { OptOuts, Tags } from "../devices/tags.js";
import { deviceHref, deviceName, endingUnder, word, zoneTime } from "../devices/words.js";
import { History } from "../history/history.js";
import { Why } from "../why/why.js";

/** The version of a resource whose body has none: the first part of its ETag. */
function versionOf(response) {
  return /^(?:W\/)?"([^"-]+)/.exec(response.headers.get("ETag") ?? "")?.[1];
}

export default function PersonPage({ attrs: { params: { user } } }) {
  const path = inApp(`/people/${encodeURIComponent(user)}`);
  let isEditing = false;

  async function readPerson(signal) {
    const response = await send("GET", path, { signal });
    return { ...(await response.json()), version: versionOf(response) };
  }
  const resource = load(async (signal) => {
    const [person, full] = await Promise.all([
      readPerson(signal),
      // The person's own list has no names; without the names, their endings are shown.
      api.get(inApp("/devices"), { user_id: user, limit: 200 }, { signal }).then(({ data }) => data, () => []),
    ]);
    return { ...person, devices: person.devices.map((each) => full.find(({ id }) => id === each.id) ?? each) };
  });
  const change = async (body) => {
    await api.patch(path, body);
    await resource.reload();
  };

  async function erase({ devices }) {
    const isSure = await ask({
      title: t("person.eraseTitle", { user }),
      text: t("person.eraseText", { count: devices.length }),
      confirm: t("person.eraseNow", { user }),
      typed: user,
      typedLabel: t("person.typeUser", { user }),
    });
    if (!isSure) return;
    await api.delete(path).then(({ erased_devices: count }) => {
      toast(t("person.erased", { user, count }));
      navigate(page("/devices"));
    }, toastError);
  }

  const columns = [
    {
      id: "device",
      label: t("devices.device"),
      wide: true,
      cell: (
        each,
      ) => [
        m("b", deviceName(each)),
        " ",
        each.is_test && m(Badge, t("devices.test")),
        " ",
        !each.registered && m(Badge, { variant: "warn" }, t("devices.retired")),
        m(
          "span.meta.device-under",
          [endingUnder(each), each.kind !== "alert" && word("devices.kind", each.kind)].filter(Boolean).join(" · "),
        ),
      ],
    },
    {
      id: "permission",
      label: t("devices.permission"),
      cell: (
        { authorization_status: status },
      ) => [
        m("span.narrow-label", `${t("devices.permission")} · `),
        status ? t(`devices.authorization.${status}.name`) : "–",
      ],
    },
    {
      id: "zone",
      label: t("devices.itsTime"),
      cell: ({ time_zone: zone }) => m("span.nowrap", zoneTime(zone) ?? zone ?? "–"),
    },
    {
      id: "seen",
      label: t("devices.seen"),
      cell: ({ last_seen_at: time }) => m("span.nowrap", time ? moment(time) : "–"),
    },
  ];

  /** Also of a user of the past, whose devices belong to others or to nobody now. */
  const history = (devices) =>
    m(History, {
      path: `${path}/deliveries`,
      title: t("history.person"),
      note: t("history.personText"),
      none: t("history.nonePerson"),
      devices,
      isNamed: true,
    });

  const draw = (person) =>
    m(
      "div.with-aside",
      m(
        "div.stack.gap-24",
        m(
          "section.sheet.stack",
          m(
            "div.row",
            m("h2", t("person.attributes")),
            session.may("devices:write") && !isEditing &&
              m(
                "div.push",
                m(Button, {
                  class: "small",
                  icon: "pencil",
                  onclick: () => {
                    isEditing = true;
                  },
                }, t("action.edit")),
              ),
          ),
          m("p.soft", t("person.attributesText")),
          isEditing
            ? m(AttributeEditor, {
              attributes: person.attributes,
              version: person.version,
              save: async (attributes, ifMatch) => {
                await api.patch(path, { attributes }, { ifMatch });
                await resource.reload();
              },
              reload: () => readPerson(),
              onclose: () => {
                isEditing = false;
              },
            })
            : m(AttributeList, { attributes: person.attributes }),
        ),
        m(
          "section.sheet.stack",
          m("h2", t("person.devices")),
          m(Table, {
            label: t("person.devices"),
            columns,
            records: person.devices,
            href: deviceHref,
            empty: m("p.soft", t("person.noDevices")),
          }),
        ),
        history(person.devices),
      ),
      m(
        "div.stack.gap-24",
        m(
          "section.sheet.stack",
          m("h2", t("person.tags")),
          m(Tags, { values: person.tags, change }),
          m("hr"),
          m("h2", t("person.optOuts")),
          m("p.soft", t("person.optOutsText")),
          m(OptOuts, { values: person.opt_outs, change }),
        ),
        session.may("devices:write") &&
          m(
            "section.sheet.stack",
            m("h2", t("person.erase")),
            m("p.soft", t("person.eraseShort")),
            m("div.row", m(Button, { variant: "danger", onclick: () => erase(person) }, t("person.eraseButton"))),
          ),
      ),
    );

  return {
    onremove: () => resource.end(),
    view: () => {
      const { data, error } = resource;
      return [
        m(
          "div.page-head",
          m(
            "div.grow",
            m("a.back.meta", { href: page("/devices") }, m(Icon, { name: "chevron-left" }), t("devices.title")),
            m("h1", { dir: "auto" }, user),
            data?.created_at &&
              m(
                "p.meta",
                t("person.since", {
                  time: moment(data.created_at),
                  change: data.updated_at ? moment(data.updated_at) : "–",
                }),
              ),
          ),
        ),
        !data && error?.status === 404
          ? m(
            "div.stack.gap-24",
            m(
              Empty,
              { icon: "person", title: t("person.missing"), text: t("person.missingText") },
              m(Button, { href: page("/devices") }, t("devices.all")),
            ),
            history([]),
          )
          : Loaded({ resource, skeleton: m("div.sheet", m(Skeleton, { rows: 8 })) }, draw),
        m(Why),
      ];
    },
  };
}
