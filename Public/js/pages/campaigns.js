// The campaigns of an app: those that are being sent, those that are next, and the newest. Rows change in place.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { pagedList } from "../paged-list.js";
import { Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp, page, session } from "../session.js";
import { archiveCampaigns, createCampaign } from "../campaigns/actions.js";
import { Accepted, Actions, addressOf, Engaged, Name, State, When } from "../campaigns/cells.js";
import { campaignPage, takeRun, updated } from "../campaigns/list.js";
import { liveRuns } from "../campaigns/live.js";
import { instant } from "../campaigns/when.js";
import { ringing } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Lazy } from "../ui/lazy.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

const states = ["", "sending", "scheduled", "paused", "draft", "sent", "cancelled", "failed", "archived"];
const orders = ["", "newest", "updated", "name", "oldest"];
/** Milliseconds between two looks: while something is sent or about to be, and otherwise. */
const busyPollMs = 4_000, idlePollMs = 20_000;

export default function CampaignsPage() {
  const selection = new Set();
  const rates = new Map();
  const query = () => {
    const { state, q, sort, tag } = route.query;
    return {
      tag,
      state: state === "archived" ? undefined : state,
      archived: state === "archived" ? true : undefined,
      search: q,
      sort,
    };
  };
  const list = pagedList(inApp("/campaigns"), query, { get: campaignPage });

  const live = liveRuns({
    onRun(run) {
      const campaign = list.records.find((each) => each.last_run?.id === run.id);
      if (!campaign) return;
      takeRun(campaign, run);
      if (run.rate !== undefined) rates.set(run.id, run.rate);
      m.redraw();
    },
    onEnd: () => refresh(),
  });

  /** Brings the rows up to date where they are. A failed look leaves them as they are; the banner tells if it lasts. */
  async function refresh() {
    const { data, isLoading } = list;
    if (!data || isLoading) return;
    try {
      const fresh = await campaignPage(inApp("/campaigns"), { limit: 50, cursor: route.query.cursor, ...query() });
      if (list.data !== data) return;
      data.data = updated(data.data, fresh.data);
      data.counts = fresh.counts;
      data.tags = fresh.tags;
      for (const campaign of data.data) {
        const latest = campaign.last_run && live.latest(campaign.last_run.id);
        if (latest && !campaign.last_run.finished_at) takeRun(campaign, latest);
      }
      m.redraw();
    } catch {
      // The next look may succeed; connection.js says so when the server is away.
    }
  }
  let timer;
  let isHere = true;
  async function keepLooking() {
    const isBusy = list.records.some((each) =>
      ["sending", "waiting"].includes(each.last_run?.state) ||
      (each.next_at && Math.abs(instant(each.next_at) - Date.now()) < 30_000)
    );
    await new Promise((done) => {
      timer = setTimeout(done, isBusy ? busyPollMs : idlePollMs);
    });
    if (!isHere) return;
    if (!document.hidden) await refresh();
    keepLooking();
  }
  keepLooking();

  function filter(changes) {
    selection.clear();
    list.restart(changes);
  }
  const reload = () => {
    selection.clear();
    return list.reload();
  };
  const mayWrite = () => session.may("campaigns:write");

  const columns = () => [
    { id: "name", label: t("campaigns.name"), wide: true, cell: (campaign) => m(Name, { campaign }) },
    { id: "state", label: t("campaigns.state"), cell: (campaign) => m(State, { campaign }) },
    {
      id: "when",
      label: t("campaigns.when"),
      cell: (campaign) => m(When, { campaign, rate: rates.get(campaign.last_run?.id) }),
    },
    { id: "accepted", label: t("campaigns.accepted"), number: true, cell: (campaign) => m(Accepted, { campaign }) },
    { id: "engaged", label: t("campaigns.engaged"), number: true, cell: (campaign) => m(Engaged, { campaign }) },
    {
      id: "actions",
      label: t("campaigns.actions"),
      cell: (campaign) => m(Actions, { campaign, reload, onrun: (run) => takeRun(campaign, run) }),
    },
  ];

  const Chips = () =>
    m(
      "div.chips",
      { role: "group", "aria-label": t("campaigns.filter") },
      states.map((state) =>
        m(
          "button.chip",
          {
            key: state,
            type: "button",
            "aria-pressed": (route.query.state ?? "") === state ? "true" : "false",
            onclick: () => filter({ state: state || null }),
          },
          state === "" ? t("campaigns.all") : state === "archived" ? t("campaigns.archive") : t(`state.of.${state}`),
          list.data?.counts[state] > 0 && m("span.soft", ` ${number(list.data.counts[state])}`),
        )
      ),
    );

  const Order = () =>
    m(
      "label.row.nowrap.order",
      m("span.meta", t("campaigns.order")),
      m(
        "select",
        {
          onchange: (event) => filter({ sort: event.target.value || null }),
        },
        orders.map((each) =>
          m(
            "option",
            { value: each, selected: each === (route.query.sort ?? "") },
            t(`campaigns.orders.${each || "usual"}`),
          )
        ),
      ),
    );

  /** Nothing without a tag; the chosen one stays, even if no campaign has it. */
  const Tag = () => {
    const chosen = route.query.tag ?? "";
    const tags = list.data?.tags ?? [];
    if (!tags.length && !chosen) return null;
    const named = tags.some(({ tag }) => tag === chosen) || !chosen ? tags : [{ tag: chosen, count: 0 }, ...tags];
    return m(
      "label.row.nowrap.order",
      m("span.meta", t("campaigns.tag")),
      m(
        "select",
        {
          "aria-label": t("campaigns.tag"),
          onchange: (event) => filter({ tag: event.target.value || null }),
        },
        m("option", { value: "", selected: !chosen }, t("campaigns.anyTag")),
        named.map(({ tag, count }) =>
          m("option", { value: tag, selected: tag === chosen }, t("campaigns.tagCount", { tag, count: number(count) }))
        ),
      ),
    );
  };

  const isCalendar = () => route.query.view === "calendar";
  const Views = () =>
    m(
      "div.chips",
      { role: "group", "aria-label": t("calendar.views") },
      ["list", "calendar"].map((view) =>
        m("button.chip", {
          key: view,
          type: "button",
          "aria-pressed": (view === "calendar") === isCalendar() ? "true" : "false",
          onclick: () => setQuery({ view: view === "calendar" ? view : null, month: null }, { push: true }),
        }, t(`calendar.${view}`))
      ),
    );

  const Selected = () =>
    selection.size > 0 &&
    m(
      "div.selected-bar",
      { role: "status" },
      m("b", t("list.selected", { count: selection.size })),
      m(Button, {
        class: "small",
        icon: "archive",
        onclick: () => archiveCampaigns([...selection], reload, { isBack: route.query.state === "archived" }),
      }, t(route.query.state === "archived" ? "action.unarchive" : "action.archive")),
      m(Button, { class: "small", variant: "plain", onclick: () => selection.clear() }, t("campaigns.clearSelection")),
    );

  function Nothing() {
    const { q, state, tag } = route.query;
    if (tag && !q && !route.query.cursor) {
      return m(
        Empty,
        { title: t("campaigns.noneWithTag", { tag }) },
        m(Button, { onclick: () => filter({ tag: null, state: null }) }, t("list.clear")),
      );
    }
    if (q) {
      return m(
        Empty,
        { title: t("list.nothing", { text: q }) },
        m(Button, { onclick: () => filter({ q: null }) }, t("list.clear")),
      );
    }
    if (route.query.cursor) {
      return m(
        Empty,
        { title: t("list.pageEmpty") },
        m(Button, { onclick: () => filter({}) }, t("list.firstPage")),
      );
    }
    if (state) {
      return m(
        Empty,
        { title: t("campaigns.noneInState") },
        m(Button, { onclick: () => filter({ state: null }) }, t("campaigns.showAll")),
      );
    }
    return m(
      Empty,
      { icon: "bell", title: t("campaigns.emptyTitle"), text: t("campaigns.emptyText") },
      mayWrite() && m(Button, { variant: "strong", icon: "plus-lg", onclick: createCampaign }, t("campaigns.new")),
      m(Button, { href: page("/templates"), icon: "file-earmark-text" }, t("campaigns.templates")),
    );
  }

  return {
    onremove() {
      isHere = false;
      clearTimeout(timer);
      live.end();
      list.end();
      ringing.delete("list");
    },
    view() {
      const sending = list.records.filter((each) => each.last_run?.state === "sending");
      live.choose(sending.map((each) => each.last_run.id));
      ringing[sending.length ? "add" : "delete"]("list");
      const isFirst = list.data && !list.records.length && !route.query.state && !route.query.q && !route.query.tag;
      return [
        m(
          "div.page-head",
          m("h1", t("nav.campaigns")),
          !isFirst && m(
            "div.row",
            Views(),
            !isCalendar() && m(Search, {
              label: t("campaigns.search"),
              value: route.query.q,
              onsearch: (text) => filter({ q: text || null }),
            }),
            mayWrite() &&
              m(
                Button,
                { variant: "strong", icon: "plus-lg", "data-create": "", onclick: createCampaign },
                t("campaigns.new"),
              ),
          ),
        ),
        isCalendar() && !isFirst ? m("div.sheet", m(Lazy, { module: "calendar/calendar.js" })) : m(
          "div.sheet.campaigns",
          // Not before the counts are there: they would push the chips aside.
          !isFirst && (list.data || list.error) &&
            m("div.row.list-filter", Chips(), m("span.grow"), m("div.row", Tag(), Order())),
          Selected(),
          Loaded({ resource: list, skeleton: m(Skeleton, { rows: 8, height: 44 }) }, () => [
            m(Table, {
              label: t("nav.campaigns"),
              columns: columns(),
              records: list.records,
              href: addressOf,
              selection: mayWrite() ? selection : undefined,
              empty: Nothing(),
            }),
            m(Pager, { list }),
          ]),
        ),
      ];
    },
  };
}
