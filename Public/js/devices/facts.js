// What a device stated about itself, and what is known about its token.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { list } from "../phrases.js";
import { modelName } from "./models.js";
import { localeName, word, zoneTime } from "./words.js";

const when = (time) => (time ? [moment(time), m("span.soft", ` · ${relative(time)}`)] : "–");

/** [label, value] of each fact. */
export function deviceFacts(device) {
  const off = Object.entries(device.settings).filter(([, value]) => value === "disabled").map(([name]) =>
    word("devices.setting", name)
  );
  const { authorization_status: status, time_zone: zone, locale } = device;
  return [
    [
      t("devices.model"),
      device.model
        ? [modelName(device.model), modelName(device.model) !== device.model && m("span.soft", ` · ${device.model}`)]
        : "–",
    ],
    [t("devices.os"), device.os_version ?? "–"],
    [t("devices.app"), device.app_version ?? "–"],
    [t("devices.locale"), locale ? [localeName(locale), m("span.soft", " · ", m("span.nowrap", locale))] : "–"],
    [
      t("devices.zone"),
      zone ? [zone, zoneTime(zone) && m("span.soft", ` · ${t("devices.now", { time: zoneTime(zone) })}`)] : "–",
    ],
    [t("devices.permission"), [
      m("span", { class: status === "denied" ? "warn" : "" }, t(`devices.authorization.${status}.text`)),
      off.length > 0 && m("span.soft", ` · ${t("devices.off", { list: list(off) })}`),
    ]],
    [t("devices.kindLabel"), [
      word("devices.kind", device.kind),
      device.activity && m("span.soft", ` · ${device.activity}`),
    ]],
    [t("devices.environment"), word("devices.environments", device.environment)],
    [
      t("devices.token"),
      device.token_ending
        ? m("code", `…${device.token_ending}`)
        : device.retired_reason === "token_moved"
        ? t("devices.noToken")
        : "–",
    ],
    [t("devices.installation"), m("code.anywhere", device.installation)],
    [t("devices.firstSeen"), when(device.created_at)],
    [t("devices.seen"), when(device.last_seen_at)],
  ];
}
