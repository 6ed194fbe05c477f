// Shows badges, tables, the ledger, messages, and the empty and loading states.

import m from "../m.js";
import { bytes, duration, moment, number, relative, share } from "../i18n.js";
import { Badge, Kind, StateBadge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Bell, ringing } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Icon } from "../ui/icon.js";
import { Ledger } from "../ui/ledger.js";
import { Menu } from "../ui/menu.js";
import { Meter, Progress } from "../ui/meter.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { Term } from "../ui/term.js";
import { toast } from "../ui/toast.js";

export const kinds = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"];
const states = ["draft", "scheduled", "sending", "waiting", "paused", "sent", "cancelled", "failed"];
const sample = {
  targeted: 182_400,
  accepted: 107_046,
  rejected: 240,
  suppressed: 5_802,
  expired: 0,
  cancelled: 0,
  unknown: 0,
  pending: 69_312,
};
const records = [
  { id: "1", name: "Moon Lovers", state: "sending", count: 182_400 },
  { id: "2", name: "Lucky Draw", state: "scheduled", count: 1_204 },
  {
    id: "3",
    name:
      "A campaign whose name is so long that it takes a second line and is cut there, because a list is for finding " +
      "and not for reading",
    state: "draft",
    count: 0,
  },
];
const nothing = () => {};

export function Badges() {
  let tab = "en", chip = "all";
  return {
    view: () => [
      m("h3", "States of a campaign"),
      m("div.row", states.map((state) => m(StateBadge, { key: state, state }))),
      m("h3", "Outcomes of the ledger"),
      m("div.row", kinds.map((kind) => m(Kind, { key: kind, kind }))),
      m("h3", "Badges"),
      m(
        "div.row",
        m(Badge, { variant: "simulator" }, "Simulator"),
        m(Badge, { variant: "apple" }, "Apple"),
        m(Badge, "v2"),
        m(Badge, { variant: "good" }, "Verified"),
        m(Badge, { variant: "warn" }, "1 warning"),
        m(Badge, { variant: "danger" }, "2 errors"),
      ),
      m("h3", "Chips"),
      m(
        "div.chips",
        [["all", "All 214"], ["running", "Running 1"], ["drafts", "Drafts 9"]].map(([id, label]) =>
          m("button.chip", {
            key: id,
            type: "button",
            "aria-pressed": String(id === chip),
            onclick: () => {
              chip = id;
            },
          }, label)
        )
          .concat(
            m("button.chip.hover", { key: "hover", type: "button" }, "Hover"),
            m("button.chip.focus", { key: "focus", type: "button" }, "Focus"),
          ),
      ),
      m("h3", "Tabs"),
      m(Tabs, {
        label: "Languages",
        active: tab,
        onchange: (id) => {
          tab = id;
        },
        tabs: [{ id: "en", label: "English" }, { id: "zh", label: "中文", badge: 1 }, { id: "ja", label: "日本語" }],
      }),
      m("h3", "Steps"),
      m(
        "div.steps",
        m("a", { href: "/styles" }, "Content"),
        m("a", { href: "/styles", "aria-current": "step" }, "Audience", m("span.count", "182,400")),
        m("a", { href: "/styles" }, "Schedule"),
        m("a", { href: "/styles" }, "Review"),
      ),
    ],
  };
}

export function Tables() {
  const selection = new Set(["2"]);
  return {
    view: () => [
      m(Table, {
        label: "Campaigns",
        records,
        selection,
        href: () => "/styles",
        columns: [
          { id: "name", label: "Name", wide: true, cell: ({ name }) => m("b.two-lines", name) },
          {
            id: "state",
            label: "State",
            cell: ({ state }) => m(StateBadge, { state }),
          },
          { id: "count", label: "Devices", number: true, cell: ({ count }) => number(count) },
          {
            id: "menu",
            label: "",
            cell: () =>
              m(Menu, {
                label: "More actions",
                icon: "three-dots",
                hidden: true,
                class: "row-menu",
                items: [{ label: "Duplicate", icon: "files", onclick: nothing }],
              }),
          },
        ],
      }),
      m(Pager, { list: { hasBefore: false, next: "2", nextPage: nothing, previousPage: nothing } }),
    ],
  };
}

export const Ledgers = {
  view: () => [
    m(Ledger, { ledger: sample, href: () => "/styles" }),
    m(Meter, {
      label: "62 % done",
      all: 182_400,
      parts: kinds.map((kind) => ({ kind, label: kind, value: sample[kind] })),
    }),
    m("h3", "Progress"),
    m(Progress, { value: 0.4, label: "Import" }),
  ],
};

export function Messages() {
  let isOpen = false;
  const close = () => {
    isOpen = false;
  };
  return {
    view: () => [
      m(Banner, "A note: the campaign is scheduled, so it can only be read."),
      m(Banner, { variant: "warn" }, "488 devices have no first_name."),
      m(
        Banner,
        { variant: "danger" },
        "Not loaded. These are the data of 19:04. ",
        m(Button, { variant: "plain" }, "Try again"),
      ),
      m(Banner, { variant: "good" }, "Apple took it for Mei's iPhone, 19:06 Berlin."),
      m(
        "div.row",
        m(Button, { onclick: () => toast("Archived.", { undo: nothing }) }, "Toast with undo"),
        m(Button, { onclick: () => toast("Apple refused the key.", { variant: "danger" }) }, "Toast of an error"),
        m(Button, {
          onclick: () => {
            isOpen = true;
          },
        }, "Dialog"),
        m(Button, {
          onclick: () =>
            ask({
              title: "Send to 176,598 devices?",
              text: "They get “Moon Lovers” now.",
              confirm: "Send now to 176,598",
              variant: "strong",
              typed: "176598",
              typedLabel: "Type 176598 to send.",
            }),
        }, "Question with typing"),
      ),
      isOpen &&
      m(Dialog, {
        title: "A dialog",
        onclose: close,
        actions: [m(Button, { variant: "strong", onclick: close }, "Save"), m(Button, { onclick: close }, "Go back")],
      }, m("p", "Escape closes it, and the focus goes back to where it was.")),
    ],
  };
}

export const Waiting = {
  view: () =>
    m(
      "div.columns",
      m(
        "div",
        m("h3", "Empty"),
        m(
          Empty,
          { icon: "bell", title: "No campaigns yet", text: "Start from a template." },
          m(Button, { variant: "strong", icon: "plus-lg" }, "New campaign"),
        ),
      ),
      m("div.stack", m("h3", "Loading"), m(Skeleton, { rows: 5 })),
    ),
};

/** The bell's time in milliseconds. */
const ringMs = 3_000;

async function ring() {
  ringing.add(records);
  m.redraw();
  await new Promise((done) => setTimeout(done, ringMs));
  ringing.delete(records);
}

export const Words = {
  view: () => [
    m(
      "p",
      "Apple has ",
      m(Term, { name: "accepted" }),
      " 107,046 devices (",
      share(107_046, 182_400),
      "), ",
      bytes(812),
      " each, ",
      moment(Date.now() + 7.2e6),
      " (",
      relative(Date.now() + 7.2e6),
      "), within ",
      duration(72_000),
      ". No data: ",
      number(null),
      ".",
    ),
    m(Copy, { label: "Key", text: "bfp_R1UkM9A0gczXlFHsi_uaWua8AqmIIyB01P2GLKPAoOMvoUVMP" }),
    m("h3", "Icons"),
    m(
      "div.row",
      [
        "house",
        "megaphone",
        "file-earmark-text",
        "people",
        "phone",
        "ui-checks",
        "bell",
        "calendar-week",
        "gear",
        "key",
        "search",
        "archive",
        "trash",
      ].map((name) => m(Icon, { key: name, name })),
    ),
    m("h3", "The bell rings only while something is sent"),
    m("div.row", m(Bell), m(Button, { onclick: ring }, "Ring it for three seconds")),
  ],
};
