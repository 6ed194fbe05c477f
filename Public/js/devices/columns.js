// The columns of the table of devices.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { Badge } from "../ui/badge.js";
import { modelName } from "./models.js";
import { deviceName, endingUnder, localeName, personHref, personName, word, zoneTime } from "./words.js";

/** A device's name with a text that distinguishes it from others of the same model. */
const name = (device) => [
  m("b", deviceName(device)),
  " ",
  device.is_test && m(Badge, t("devices.test")),
  " ",
  !device.registered && m(Badge, { variant: "warn" }, t("devices.retired")),
  m(
    "span.meta.device-under",
    [
      device.nickname && modelName(device.model),
      endingUnder(device),
      device.kind !== "alert" && word("devices.kind", device.kind),
    ].filter(Boolean).join(" · "),
  ),
];

export const deviceColumns = () => [
  { id: "device", label: t("devices.device"), wide: true, cell: name },
  {
    id: "person",
    label: t("devices.person"),
    cell: (device) => [
      device.user_id
        ? m("a.cell-link", { href: personHref(device.user_id), dir: "auto" }, device.user_id)
        : m("span.soft.wide-only", "–"),
      personName(device) && m("span.meta.device-under", { dir: "auto" }, personName(device)),
    ],
  },
  {
    id: "version",
    label: t("devices.versions"),
    cell: (
      { os_version: os, app_version: app },
    ) => [
      m("span.nowrap", os ? `iOS ${os}` : "–"),
      m("span.meta.device-under", app ? t("devices.appVersion", { version: app }) : "–"),
    ],
  },
  {
    id: "locale",
    label: t("devices.place"),
    cell: (
      { locale, time_zone: zone },
    ) => [
      localeName(locale),
      m("span.meta.device-under", zoneTime(zone) ? t("devices.now", { time: zoneTime(zone) }) : zone ?? "–"),
    ],
  },
  {
    id: "permission",
    label: t("devices.permission"),
    cell: (
      { authorization_status: status },
    ) => [
      m("span.narrow-label", `${t("devices.permission")} · `),
      m(
        "span",
        { class: status === "denied" ? "warn" : "", title: t(`devices.authorization.${status}.text`) },
        t(`devices.authorization.${status}.name`),
      ),
    ],
  },
  {
    id: "seen",
    label: t("devices.seen"),
    cell: ({ last_seen_at: time }) =>
      time ? [m("span.nowrap", moment(time)), m("span.meta.device-under", relative(time))] : "–",
  },
];
