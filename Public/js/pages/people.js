// The devices behind a number of a run's ledger.

import m from "../m.js";
import { day, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { api } from "../api.js";
import { load, Loaded, LoadedPage } from "../loading.js";
import { reasonAdvice, reasonName } from "../reasons.js";
import { columnsOf } from "../recipients/columns.js";
import { Export } from "../recipients/export.js";
import { filters } from "../recipients/filter.js";
import { conditionOfList } from "../follow-up/choices.js";
import { FollowUpDialog } from "../follow-up/dialog.js";
import { Filters } from "../recipients/filters.js";
import { choicesOf, recipientsOf } from "../recipients/list.js";
import { runOf } from "../report/run-of.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Icon } from "../ui/icon.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

export default function PeoplePage({ attrs }) {
  const { campaign: id, run: runID } = attrs.params;
  const report = page(`/campaigns/${id}/runs/${runID}`);
  const head = load(async (signal) => {
    const [campaign, run] = await Promise.all([
      api.get(inApp(`/campaigns/${id}`), {}, { signal }),
      runOf(id, runID, signal),
    ]);
    return { campaign, run };
  });
  const list = recipientsOf(runID);
  const choices = choicesOf(runID);
  let isFollowing = false;
  const showAll = () => list.restart(Object.fromEntries(filters.map((name) => [name, null])));

  function nothing() {
    const title = list.next ? "people.further" : route.query.q ? "people.notFound" : "people.empty";
    return m(Empty, { title: t(title) }, m(Button, { onclick: showAll }, t("people.showAll")));
  }

  function followButton(run) {
    const { kind, engaged, opened } = route.query;
    const lacksAccepted = !kind && (engaged === "false" || opened === "false");
    return m(Button, {
      icon: "reply",
      reason: conditionOfList(route.query, run)
        ? undefined
        : t(lacksAccepted ? "followUp.listAccepted" : "followUp.listOnly"),
      onclick: () => {
        isFollowing = true;
      },
    }, t("followUp.these"));
  }

  function recipients({ campaign, run }) {
    const { reason, q } = route.query;
    const condition = isFollowing && conditionOfList(route.query, run);
    return [
      condition && m(FollowUpDialog, {
        campaign,
        run,
        condition,
        onclose: () => {
          isFollowing = false;
        },
      }),
      m(
        "div.stack.people-tools",
        m(
          "div.row",
          session.may("devices:read") && m(Search, {
            label: t("people.search"),
            value: q,
            onsearch: (text) => list.restart({ q: text || null }),
          }),
          m(Export, { run, list, choices: choices.data }),
          session.may("campaigns:write") && list.records.length > 0 && followButton(run),
        ),
        m(Filters, { run, list, choices: choices.data }),
        filters.some((name) => route.query[name]) && list.records.length > 0 &&
          m(
            "div.row",
            m(Button, { variant: "plain", class: "small", icon: "x-lg", onclick: showAll }, t("list.clearFilters")),
          ),
      ),
      reason && reasonAdvice(reason) &&
      m("p.soft.people-advice", sentences([stopped(reasonName(reason)), reasonAdvice(reason)])),
      Loaded(
        { resource: list, skeleton: m(Skeleton, { rows: 10, height: 28 }) },
        () =>
          m(
            "div.people-table",
            { "aria-busy": list.isLoading ? "true" : undefined, class: list.isLoading ? "stale" : "" },
            m(Table, {
              label: t("people.title", { name: campaign.name }),
              records: list.records.map((each) => ({ ...each, id: each.device_id })),
              columns: columnsOf(run),
              empty: nothing(),
            }),
            m(Pager, { list }),
          ),
      ),
    ];
  }

  const deleted = ({ recipients_deleted_at: time }) =>
    m(Empty, {
      icon: "trash",
      title: t("people.deletedTitle"),
      text: t("people.deletedText", { time: day(time, { year: true }) }),
    }, m(Button, { href: report }, t("people.toReport")));

  return {
    onremove() {
      head.end();
      list.end();
      choices.end();
    },
    view: () =>
      LoadedPage({
        resource: head,
        skeleton: m(Skeleton, { rows: 8, height: 36 }),
        list: { href: page("/campaigns"), title: t("nav.campaigns") },
      }, (data) => [
        m("a.back.meta", { href: report }, m(Icon, { name: "chevron-left" }), t("people.back")),
        m("div.page-head", m("h1", t("people.title", { name: data.campaign.name }))),
        m("div.sheet", data.run.recipients_deleted_at ? deleted(data.run) : recipients(data)),
      ]),
  };
}
