// The pushes to a device or to a person, newest first, with what became of them.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { joining } from "../joining.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { Button } from "../ui/button.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { Entry } from "./entry.js";

const limit = 20;

/**
 * `path` leads to the list in the API, `parameters` go with it. `title`, `note` and `none` are texts; `devices` are
 * those of today. With `isNamed` each entry names its device. Children are drawn above the list.
 */
export function History({ attrs: { path, parameters } }) {
  const list = pagedList(path, () => parameters, { limit, get: joining(api.get) });
  const Entries = ({ none, devices, isNamed }) => {
    if (list.records.length) {
      return m(
        "ol.history",
        list.records.map((push) =>
          m(Entry, {
            key: `${push.message_number} ${push.device_id}`,
            push,
            isNamed,
            device: devices.find(({ id }) => id === push.device_id),
          })
        ),
      );
    }
    if (list.next) return m("p.soft", t("history.further"));
    return list.hasBefore
      ? m(
        "div.stack",
        m("p.soft", t("history.end")),
        m("div.row", m(Button, { onclick: () => list.goBack() }, t("list.newer"))),
      )
      : m("p.soft", none);
  };
  return {
    onremove: () => list.end(),
    view: ({ attrs, children }) =>
      m(
        "section.sheet.stack",
        m("h2", attrs.title),
        attrs.note && m("p.soft", attrs.note),
        children,
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 3, height: 48 }) }, () =>
          m(
            "div",
            { class: list.isLoading ? "stale" : "" },
            Entries(attrs),
            (list.records.length > 0 || list.next) && m(Pager, { list }),
          )),
      ),
  };
}
