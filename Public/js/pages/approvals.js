// The requests to approve campaigns: those that wait, and what became of the others. Each leads to the review of its
// campaign, where it is decided.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { refreshApprovals } from "../approvals.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route } from "../router.js";
import { inApp, page } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Empty } from "../ui/empty.js";
import { Pager } from "../ui/pager.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";

const tabs = ["waiting", "decided"];
const variants = { waiting: "warn", approved: "good", rejected: "danger", overdue: "danger" };

export default function ApprovalsPage() {
  const tab = () => (route.query.tab === "decided" ? "decided" : "waiting");
  const list = pagedList(inApp("/approvals"), () => ({ waiting: String(tab() === "waiting") }));
  refreshApprovals();

  const columns = () => [
    {
      id: "name",
      label: t("campaigns.name"),
      wide: true,
      cell: ({ campaign_name: name, comment }) => [
        m("b.campaign-name", { dir: "auto" }, name),
        comment && m("span.meta.cut", { dir: "auto" }, `“${comment}”`),
      ],
    },
    {
      id: "state",
      label: t("campaigns.state"),
      cell: ({ state, decision_comment: reason, decided_by: name }) => [
        m(Badge, { variant: variants[state] ?? "" }, t(`approval.state.${state}`)),
        reason && m("div.meta", { dir: "auto" }, `${name}: “${reason}”`),
      ],
    },
    {
      id: "recipients",
      label: t("approval.recipients"),
      number: true,
      cell: ({ recipients: count }) => [
        number(count),
        m("span.narrow-label", " ", t("approval.devices", { count })),
      ],
    },
    {
      id: "asked",
      label: t("approval.asked"),
      cell: ({ requested_by: name, requested_at: at }) => [m("div", name), m("div.meta", moment(at))],
    },
  ];
  return {
    onremove: () => list.end(),
    view: () => [
      m("div.page-head", m("h1", t("nav.approvals"))),
      m("p.soft.intro", t("approval.intro")),
      m(
        "section.sheet.stack",
        m(Tabs, {
          label: t("nav.approvals"),
          active: tab(),
          onchange: (id) => list.restart({ tab: id === "waiting" ? null : id }),
          tabs: tabs.map((id) => ({ id, label: t(`approval.tab.${id}`) })),
        }),
        Loaded({ resource: list }, () =>
          list.records.length || list.hasBefore
            ? [
              m(Table, {
                label: t("nav.approvals"),
                columns: columns(),
                records: list.records,
                href: ({ campaign_id: id }) => page(`/campaigns/${id}/review`),
              }),
              m(Pager, { list }),
            ]
            : m(Empty, { icon: "person-check", title: t(`approval.none.${tab()}`) }, t(`approval.noneText.${tab()}`))),
      ),
    ],
  };
}
