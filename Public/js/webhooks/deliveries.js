// The messages of the last week to one webhook, and sending them again.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Choices } from "../ui/field.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";

const states = ["", "waiting", "delivered", "failed"];
const variants = { delivered: "good", failed: "danger", waiting: "" };
/** While a message has had no answer, the list is read again after this time. */
const pollMs = 1_500;
const pageSize = 20;

/** Opens on demand; a new number of `tests` opens it and reads it again. */
export function Deliveries({ attrs: { path } }) {
  let resource = null, state = "", shownTests = 0, timer = null, limit = pageSize;

  function read() {
    clearTimeout(timer);
    resource?.end();
    resource = load(async (signal) => {
      const list = await api.get(`${path}/deliveries`, { limit, ...(state && { outcome: state }) }, { signal });
      // A message without an answer gets one soon, or a time for the next attempt.
      if (list.data.some(({ attempts, outcome: own }) => own === "waiting" && attempts === 0)) {
        timer = setTimeout(() => resource.reload(), pollMs);
      }
      return list;
    });
  }
  const resend = ({ id }) =>
    api.post(`${path}/deliveries/${id}/resend`).then(() => {
      toast(t("webhooks.resent"));
      return resource.reload();
    }, toastError);
  const outcome = (delivery) => [
    m(Badge, { variant: variants[delivery.outcome] }, t(`webhooks.deliveryState.${delivery.outcome}`)),
    delivery.error && m("span.meta.device-under", delivery.error),
    delivery.attempts > 0 && delivery.next_attempt_at && m(
      "span.meta.device-under",
      t("webhooks.nextAttempt", { time: relative(delivery.next_attempt_at), attempts: delivery.attempts }),
    ),
  ];
  const columns = (canResend) =>
    [
      {
        id: "kind",
        label: t("webhooks.event"),
        wide: true,
        cell: (delivery) => [
          m("code", delivery.kind),
          delivery.body &&
          m("details.delivery-body", m("summary", t("webhooks.body")), m("pre", readable(delivery.body))),
        ],
      },
      {
        id: "created",
        label: t("webhooks.created"),
        cell: ({ created_at: at }) => m("span.nowrap", { title: moment(at) }, relative(at)),
      },
      { id: "outcome", label: t("webhooks.outcome"), cell: outcome },
      canResend && {
        id: "resend",
        label: "",
        cell: (delivery) =>
          m(Button, { class: "small", icon: "arrow-repeat", onclick: () => resend(delivery) }, t("webhooks.resend")),
      },
    ].filter(Boolean);
  const choose = (value) => {
    state = value;
    limit = pageSize;
    read();
  };
  const showMore = () => {
    limit = Math.min(limit * 2, 200);
    read();
  };
  return {
    onupdate: ({ attrs: { tests } }) => {
      if (tests === shownTests) return;
      shownTests = tests;
      read();
      m.redraw();
    },
    onremove: () => {
      clearTimeout(timer);
      resource?.end();
    },
    view: ({ attrs: { waiting, readonly, canResend } }) =>
      resource
        ? m(
          "div.stack",
          m(Choices, {
            label: t("webhooks.log"),
            inline: true,
            value: state,
            onchange: choose,
            options: states.map((value) => ({ value, label: t(`webhooks.filter.${value || "all"}`) })),
          }),
          Loaded({ resource, skeleton: m(Skeleton, { rows: 3, height: 36 }) }, ({ data, next_cursor: next }) => [
            m(Table, {
              label: t("webhooks.log"),
              records: data,
              columns: columns(!readonly && canResend),
              empty: m("p.soft", t("webhooks.noDeliveries")),
            }),
            next && limit < 200 && m("div.row", m(Button, { class: "small", onclick: showMore }, t("webhooks.more"))),
          ]),
        )
        : m(
          "div.row",
          m(Button, { class: "small", icon: "journal-check", onclick: read }, t("webhooks.openLog")),
          waiting > 0 && m("span.meta", t("webhooks.waiting", { count: waiting })),
        ),
  };
}

function readable(body) {
  return JSON.stringify(JSON.parse(body), null, 2);
}
