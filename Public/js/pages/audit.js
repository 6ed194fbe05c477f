// The audit log of an app, or of everything: actor, action, time, address, and the changes.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { Entry } from "../audit/entry.js";
import { Filters, isFiltered, noFilter, parameters, showsAll } from "../audit/filters.js";
import { namesOf } from "../audit/names.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route, setQuery } from "../router.js";
import { inApp, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Icon } from "../ui/icon.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { Tabs } from "../ui/tabs.js";

export default function AuditPage() {
  const names = namesOf();
  const list = pagedList(inApp("/audit"), () => ({ isAll: showsAll(), ...parameters(route.query) }), {
    get: async (path, { isAll, ...values }, options) => {
      const answer = await api.get(isAll ? "/v1/audit" : path, values, options);
      // The names come when they come; until then the number says which one it is.
      names.learn(answer.data, options.signal);
      return answer;
    },
  });
  const toggle = (record) => (isOpen) => setQuery({ entry: isOpen ? record.id : null });

  const empty = () => {
    if (isFiltered(route.query)) {
      return m(
        Empty,
        { icon: "search", title: t("audit.nothing") },
        m(Button, { onclick: () => list.restart(noFilter) }, t("list.clearFilters")),
      );
    }
    if (list.hasBefore) {
      return m(
        Empty,
        { icon: "journal-check", title: t("list.pageEmpty") },
        m(Button, { onclick: () => list.restart() }, t("list.firstPage")),
      );
    }
    return m(Empty, { icon: "journal-check", title: t("audit.empty"), text: t("audit.emptyText") });
  };
  return {
    onremove: () => list.end(),
    view: () => [
      m("div.page-head", m("h1", t("nav.audit"))),
      m("p.soft.intro", t("audit.intro")),
      m(
        "div.sheet.stack",
        session.may("audit:read", null) && m(Tabs, {
          label: t("audit.scope"),
          active: showsAll() ? "all" : "",
          tabs: [{ id: "", label: session.thisApp.name }, { id: "all", label: t("audit.everything") }],
          onchange: (id) =>
            list.restart({
              ...noFilter,
              actor: route.query.actor,
              since: route.query.since,
              until: route.query.until,
              scope: id || null,
              entry: null,
            }),
        }),
        m(Filters, { list }),
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 12, height: 26 }) }, () => (list.records.length
          ? [
            m(
              "div.audit-head",
              { "aria-hidden": "true" },
              ["", t("audit.time"), t("audit.who"), t("audit.what"), t("audit.from")].map((label) => m("span", label)),
            ),
            m(
              "ul.audit-list",
              { "aria-label": t("nav.audit"), class: list.isLoading ? "stale" : "" },
              list.records.map((record) =>
                m(Entry, {
                  key: record.id,
                  record,
                  subject: names.subjectOf(record),
                  isOpen: route.query.entry === record.id,
                  ontoggle: toggle(record),
                })
              ),
            ),
            m(Pager, { list }),
          ]
          : empty())),
      ),
      m(
        "p.audit-seal",
        m(Icon, { name: "shield-check" }),
        m("span", t("audit.chain"), " ", m("code", "belfry audit verify"), " ", t("audit.chainEnd")),
      ),
    ],
  };
}
