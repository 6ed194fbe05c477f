// All devices of an app: search, filter, export, import.

import m from "../m.js";
import { t } from "../i18n.js";
import { deviceColumns } from "../devices/columns.js";
import { ExportDialog } from "../devices/export-dialog.js";
import { DeviceFilters } from "../devices/filters.js";
import { deviceList, filters, isFiltered } from "../devices/list.js";
import { deviceHref } from "../devices/words.js";
import { Loaded } from "../loading.js";
import { route } from "../router.js";
import { page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

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
          m(DeviceFilters, { list }),
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
              columns: deviceColumns(),
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
