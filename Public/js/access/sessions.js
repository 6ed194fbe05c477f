// One's own open sessions, each with a button that ends it.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { labelled, withAddition } from "../phrases.js";
import { all, api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { signOut } from "../shell/sign-out.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";
import { deviceWords } from "./words.js";

/** The resource of the list; the page reloads it when the password was changed. */
export function ownSessions() {
  return load(() => all("/v1/sessions"));
}

export const Sessions = {
  view: ({ attrs: { resource } }) => {
    const end = async (sessions) => {
      try {
        for (const { id } of sessions) await api.delete(`/v1/sessions/${id}`);
        toast(t("account.ended", { count: sessions.length }));
      } catch (error) {
        toastError(error);
      }
      await resource.reload();
    };
    const columns = [
      {
        id: "device",
        label: t("account.device"),
        wide: true,
        cell: (
          each,
        ) => [
          m("b", { title: each.user_agent }, deviceWords(each.user_agent)),
          " ",
          each.is_current && m(Badge, { variant: "good" }, t("account.thisOne")),
        ],
      },
      { id: "address", label: t("account.address"), cell: ({ address }) => m("code", address) },
      {
        id: "used",
        label: t("account.lastUsed"),
        cell: (
          { last_used_at: at },
        ) => [
          m("span.narrow-label", labelled(t("account.lastUsed"), "")),
          m("span.nowrap", withAddition(moment(at), relative(at))),
        ],
      },
      {
        id: "since",
        label: t("account.since"),
        cell: (
          { created_at: at },
        ) => [m("span.narrow-label", labelled(t("account.since"), "")), m("span.nowrap", moment(at))],
      },
      {
        id: "end",
        label: "",
        number: true,
        cell: (each) =>
          m(Button, {
            class: "small",
            "aria-label": t("account.signOutOf", { device: deviceWords(each.user_agent) }),
            onclick: () => (each.is_current ? signOut().catch(toastError) : end([each])),
          }, t("shell.signOut")),
      },
    ];
    return m(
      "section.sheet.stack",
      { "aria-labelledby": "sessions" },
      m("div", m("h2#sessions", t("account.sessions")), m("p.soft", t("account.sessionsText"))),
      Loaded({ resource, skeleton: m(Skeleton, { rows: 3, height: 32 }) }, (sessions) => {
        const others = sessions.filter((each) => !each.is_current);
        return [
          m(Table, { label: t("account.sessions"), columns, records: sessions }),
          others.length > 1 &&
          m("div.row", m(Button, { icon: "box-arrow-right", onclick: () => end(others) }, t("account.endOthers"))),
        ];
      }),
    );
  },
};
