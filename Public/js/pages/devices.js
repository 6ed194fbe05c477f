// All devices of an app: search, filter, export, import.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { api, query as queryText } from "../api.js";
import { deviceList, filters, isFiltered, parameters } from "../devices/list.js";
import {
  deviceHref,
  deviceName,
  endingUnder,
  kinds,
  localeName,
  personHref,
  word,
  zoneTime,
} from "../devices/words.js";
import { modelName } from "../devices/models.js";
import { Loaded } from "../loading.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { saveFile } from "../ui/download.js";
import { Dialog } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Choices, SelectField, TextField } from "../ui/field.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

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

const columns = () => [
  { id: "device", label: t("devices.device"), wide: true, cell: name },
  {
    id: "person",
    label: t("devices.person"),
    cell: ({ user_id: user }) =>
      user ? m("a.cell-link", { href: personHref(user), dir: "auto" }, user) : m("span.soft.wide-only", "–"),
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

/** Every filter beside the search, as controls. */
function Filters() {
  let segments = [];
  let tag;
  let timer;
  return {
    oninit: () => {
      if (!session.may("campaigns:read")) return;
      api.get(inApp("/segments"), { limit: 200, sort: "name" }).then(({ data }) => {
        segments = data;
        m.redraw();
      }, () => {});
    },
    onremove: () => clearTimeout(timer),
    view: ({ attrs: { list } }) => {
      const { query } = route;
      const select = (parameter, label, options) =>
        m(SelectField, {
          label,
          hidden: true,
          value: query[parameter] ?? "",
          options: [{ value: "", label }, ...options],
          onchange: (value) => list.change({ [parameter]: value }),
        });
      return m(
        "div.device-filters",
        m(TextField, {
          label: t("devices.tag"),
          hidden: true,
          placeholder: t("devices.tag"),
          value: tag ?? query.tag ?? "",
          maxlength: 100,
          spellcheck: false,
          oninput: (value) => {
            tag = value;
            clearTimeout(timer);
            timer = setTimeout(() => {
              list.change({ tag: tag.trim() });
              tag = undefined;
            }, 300);
          },
        }),
        select("registered", t("devices.anyState"), [{ value: "true", label: t("devices.registered") }, {
          value: "false",
          label: t("devices.retiredOnes"),
        }]),
        select("test", t("devices.anyTest"), [{ value: "true", label: t("devices.testOnes") }, {
          value: "false",
          label: t("devices.noTest"),
        }]),
        select("kind", t("devices.anyKind"), kinds.map((kind) => ({ value: kind, label: word("devices.kind", kind) }))),
        (segments.length > 0 || query.segment) && select(
          "segment",
          t("devices.anySegment"),
          segments.length
            ? segments.map(({ id, name: label }) => ({ value: id, label }))
            : [{ value: query.segment, label: query.segment }],
        ),
      );
    },
  };
}

/** Says what the file will hold before it is made. */
function ExportDialog() {
  let format = "csv";
  let hasTokens = "false";
  return {
    view: ({ attrs: { onclose } }) => {
      const asked = parameters(route.query);
      const href = inApp("/devices/export") +
        queryText({ ...asked, format, tokens: hasTokens === "true" ? true : undefined });
      return m(
        Dialog,
        {
          title: t("devices.export"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              icon: "download",
              href,
              download: `devices.${format}`,
              onclick: (event) => {
                saveFile(event, href, `devices.${format}`);
                setTimeout(onclose);
              },
            }, t("devices.exportNow", { format: format.toUpperCase() })),
            m(Button, { onclick: onclose }, t("action.back")),
          ],
        },
        m("p", isFiltered(route.query) ? t("devices.exportFiltered") : t("devices.exportAll")),
        m("p.soft", t("devices.exportContent")),
        m(Choices, {
          label: t("devices.format"),
          value: format,
          onchange: (value) => {
            format = value;
          },
          inline: true,
          options: [{ value: "csv", label: t("devices.csv") }, { value: "ndjson", label: "NDJSON" }],
        }),
        session.may("devices:tokens") && m(Choices, {
          label: t("devices.tokens"),
          value: hasTokens,
          onchange: (value) => {
            hasTokens = value;
          },
          options: [{ value: "false", label: t("devices.withoutTokens") }, {
            value: "true",
            label: t("devices.withTokens"),
            help: t("devices.withTokensHelp"),
          }],
        }),
      );
    },
  };
}

export default function DevicesPage() {
  const list = deviceList();
  let isExporting = false;
  const clear = () => list.change(Object.fromEntries(["q", ...filters].map((each) => [each, null])));

  /** Nothing found yet is not nothing: the rest of the devices was not looked at. */
  const nothing = () => {
    if (list.next) {
      return m(
        Empty,
        { icon: "search", title: t("devices.notYet"), text: t("devices.notYetText") },
        m(Button, { variant: "strong", onclick: () => list.nextPage() }, t("devices.goOn")),
      );
    }
    if (isFiltered(route.query)) {
      return m(Empty, {
        icon: "search",
        title: route.query.q ? t("list.nothing", { text: route.query.q }) : t("devices.nothing"),
      }, m(Button, { onclick: clear }, t("list.clearFilters")));
    }
    if (list.hasBefore) {
      return m(
        Empty,
        { icon: "phone", title: t("devices.end") },
        m(Button, { onclick: () => list.previousPage() }, t("devices.before")),
      );
    }
    return m(
      Empty,
      { icon: "phone", title: t("devices.empty"), text: t("devices.emptyText") },
      session.may("devices:write") &&
        m(Button, { variant: "strong", icon: "upload", href: page("/devices/import") }, t("devices.import")),
      session.may("apps:write") && m(Button, { href: page("/setup") }, t("devices.connect")),
    );
  };

  return {
    onbeforeupdate: () => list.follow(),
    onremove: () => list.end(),
    view: () => [
      m(
        "div.page-head",
        m("h1", t("devices.title")),
        session.may("devices:export") && m(Button, {
          icon: "download",
          onclick: () => {
            isExporting = true;
          },
        }, t("devices.export")),
        session.may("devices:write") &&
          m(Button, { icon: "upload", href: page("/devices/import") }, t("devices.import")),
      ),
      m(
        "div.sheet",
        m(
          "div.stack.device-tools",
          m(Search, {
            label: t("devices.search"),
            value: route.query.q,
            onsearch: (q) => list.change({ q }),
          }),
          m(Filters, { list }),
          isFiltered(route.query) && list.records.length > 0 &&
            m(
              "div.row",
              m(Button, { variant: "plain", class: "small", icon: "x-lg", onclick: clear }, t("list.clearFilters")),
            ),
        ),
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 10, height: 40 }) }, () =>
          m(
            "div.device-table",
            { "aria-busy": list.isLoading ? "true" : undefined, class: list.isLoading ? "stale" : "" },
            m(Table, {
              label: t("devices.title"),
              columns: columns(),
              records: list.records,
              href: deviceHref,
              empty: nothing(),
            }),
            list.records.length > 0 && list.next && isFiltered(route.query) && m("p.meta", t("devices.more")),
            m(Pager, {
              list,
              newer: t("devices.before"),
              older: isFiltered(route.query) ? t("devices.goOn") : t("devices.next"),
            }),
          )),
      ),
      isExporting && m(ExportDialog, {
        onclose: () => {
          isExporting = false;
          m.redraw();
        },
      }),
    ],
  };
}
