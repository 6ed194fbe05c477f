// The devices behind a number of a run's ledger.

import m from "../m.js";
import { t, moment, number } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded, LoadedPage } from "../loading.js";
import { listOf } from "../pages.js";
import { reasonAdvice, reasonCode, reasonName } from "../reasons.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Badge, Kind } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Icon } from "../ui/icon.js";
import { terms } from "../ui/ledger.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

/** A page of the API may have fewer entries and not be the last, so pages are joined until one is full. */
const requests = 10;
async function fullPage(path, values, options) {
  const data = [];
  let { cursor } = values;
  for (let count = 0; count < requests; count++) {
    const answer = await api.get(path, { ...values, cursor, limit: values.limit - data.length }, options);
    data.push(...answer.data);
    cursor = answer.next_cursor;
    if (!cursor || data.length >= values.limit) break;
  }
  return { data, next_cursor: cursor ?? null };
}

export default function PeoplePage({ attrs }) {
  const { campaign: id, run: runID } = attrs.params;
  const head = load(async (signal) => {
    const [campaign, run] = await Promise.all([api.get(inApp(`/campaigns/${id}`), {}, { signal }), api.get(inApp(`/runs/${runID}`), {}, { signal })]);
    return { campaign, run };
  });
  const list = listOf(inApp(`/runs/${runID}/deliveries`), () => {
    const { kind, reason, deferred, opened, q } = route.query;
    return { outcome: kind, reason, deferred, opened, search: q };
  }, { get: fullPage });
  /** Another outcome; the search and the choice of those who opened it stay. */
  const filter = (changes) => list.restart({ kind: null, reason: null, deferred: null, ...changes });
  const showAll = () => filter({ opened: null, q: null });

  const Chip = ({ key, label, count, isOn, changes }) => m("button.chip", {
    key, type: "button", "aria-pressed": isOn ? "true" : "false", onclick: () => filter(changes),
  }, label, " ", count !== undefined && m("span.soft", number(count)));

  function Filters({ run }) {
    const { kind, reason, deferred, opened } = route.query;
    const reasons = run.reasons.filter((each) => !kind || each.outcome === kind);
    return m("div.row.list-filter",
      m("div.chips", { role: "group", "aria-label": t("recipients.filter") }, [
        Chip({ key: "all", label: t("recipients.all"), count: run.targeted, isOn: !kind && !reason && !deferred, changes: {} }),
        ...terms.filter((each) => run[each] > 0 || each === kind).map((each) =>
          Chip({ key: each, label: m(Kind, { kind: each }), count: run[each], isOn: kind === each, changes: { kind: each } })),
        run.deferred > 0 && Chip({ key: "deferred", label: t("recipients.onlyDeferred"), count: run.deferred, isOn: deferred === "true", changes: { deferred: "true" } }),
      ].filter(Boolean)),
      (reasons.length > 1 || reason) && m("label.row.nowrap.order", m("span.meta", t("recipients.reason")), m("select", {
        onchange: (event) => {
          const found = run.reasons[Number(event.target.value)];
          filter(found ? { kind: found.outcome, reason: found.reason } : { kind });
        },
      }, m("option", { value: "-1", selected: !reason }, t("recipients.anyReason")),
      reasons.map((each) => m("option", { value: String(run.reasons.indexOf(each)), selected: each.reason === reason }, `${reasonName(each.reason)} (${number(each.count)})`)))),
      m("label.row.nowrap.order", m("span.meta", t("recipients.openedLabel")), m("select", { onchange: (event) => list.restart({ opened: event.target.value || null }) },
        ["", "true", "false"].map((value) => m("option", { value, selected: (opened ?? "") === value }, t(`recipients.opened.${value || "any"}`))))));
  }

  const person = ({ user_id: user }) => (user
    ? session.may("devices:read") ? m("a.row-link", { href: page(`/people/${encodeURIComponent(user)}`) }, m("b", user)) : m("b", user)
    : m("span.soft", t("recipients.nobody")));
  const device = ({ installation }) => (installation
    ? m("a.mono.cut", { href: page(`/devices/${encodeURIComponent(installation)}`), title: installation }, installation.length > 14 ? `${installation.slice(0, 12)}…` : installation)
    : m("span.soft", session.may("devices:read") ? t("recipients.erased") : "–"));
  const why = ({ outcome, reason }) => (reason || ["rejected", "suppressed", "unknown"].includes(outcome)
    ? [reasonName(reason), reasonCode(reason) && [" ", m("code.soft", reason)]] : m("span.soft", "–"));
  const columns = () => [
    { id: "person", label: t("recipients.person"), wide: true, cell: person },
    { id: "device", label: t("recipients.device"), cell: device },
    { id: "outcome", label: t("recipients.outcome"), cell: (each) => m("span.row", m(Kind, { kind: each.outcome }), each.is_resent && m(Badge, t("recipients.resent")), each.was_deferred && m(Badge, t("recipients.deferred"))) },
    { id: "reason", label: t("recipients.reason"), cell: why },
    { id: "opened", label: t("recipients.openedLabel"), cell: ({ opened_at: at }) => (at ? m("span.nowrap", moment(at)) : m("span.soft", "–")) },
  ];

  return {
    onremove() {
      head.end();
      list.end();
    },
    view: () => LoadedPage({ resource: head, skeleton: m(Skeleton, { rows: 8, height: 36 }), list: { href: page("/campaigns"), title: t("nav.campaigns") } }, ({ campaign, run }) => {
      const { reason } = route.query;
      return [
        m("a.back.meta", { href: page(`/campaigns/${id}/runs/${runID}`) }, m(Icon, { name: "chevron-left" }), t("recipients.back")),
        m("div.page-head", m("h1", t("recipients.title", { name: campaign.name }))),
        m("div.sheet",
          session.may("devices:read") && m("div.row", m(Search, { label: t("recipients.search"), value: route.query.q, onsearch: (q) => list.restart({ q: q || null }) })),
          Filters({ run }),
          reason && reasonAdvice(reason) && m("p.soft.people-advice", `${reasonName(reason)}. ${reasonAdvice(reason)}`),
          Loaded({ resource: list, skeleton: m(Skeleton, { rows: 10, height: 28 }) }, () => [
            m(Table, {
              label: t("recipients.title", { name: campaign.name }), records: list.records.map((each) => ({ ...each, id: each.device_id })), columns: columns(),
              empty: m(Empty, { title: t(list.next ? "recipients.further" : route.query.q ? "recipients.notFound" : "recipients.empty") }, m(Button, { onclick: showAll }, t("recipients.showAll"))),
            }),
            m(Pager, { list }),
          ])),
      ];
    }),
  };
}
