// API keys of one app or of all: list, create (shown once), rotate, revoke.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { enumeration, labelled, sentences } from "../phrases.js";
import { all, api, newIdempotencyKey } from "../api.js";
import { load, Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { page, session } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Switch } from "../ui/field.js";
import { Menu } from "../ui/menu.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";
import { isComplete, scopeWords } from "./key-scopes.js";
import { NewKey } from "./new-key.js";

const stateOf = ({ revoked_at: revoked, expires_at: end, is_stopped: isStopped }) => {
  if (revoked) return "revoked";
  if (end && new Date(end) <= new Date()) return "expired";
  return isStopped ? "stopped" : "works";
};
/** Whether the key works, or will once somebody has taken it over. */
const isLive = (key) => ["works", "stopped"].includes(stateOf(key));
/** Hours that a replaced key goes on. */
const overlap = 24;

/** The permissions of a key, behind a line to open, because there can be many. */
const may = (key, allApps) => {
  if (key.kind === "publishable") return m("span.soft", t("apiKeys.publishableMay"));
  return [
    isComplete(key.scopes, allApps)
      ? t("apiKeys.everything")
      : scopeList(t("apiKeys.scopeCount", { count: key.scopes.length }), key.scopes),
    // Its creator has lost these, so the key can't use them.
    isLive(key) && key.withheld_scopes.length > 0 &&
    scopeList(
      m("span.warn", t("apiKeys.withheld", { count: key.withheld_scopes.length })),
      key.withheld_scopes,
      m("p.meta", t("apiKeys.withheldText")),
    ),
  ];
};
const scopeList = (head, scopes, note) =>
  m("details.key-scopes", m("summary", head), note, m("ul", scopes.map((scope) => m("li", scopeWords(scope)))));
const ends = (key) => {
  const state = stateOf(key);
  if (state !== "works") return m(Badge, t(`apiKeys.state.${state}`));
  return key.expires_at
    ? [m("span.nowrap", moment(key.expires_at)), m("span.meta.device-under.nowrap", relative(key.expires_at))]
    : t("apiKeys.forEver");
};

/**
 * `path` is the list's, `parameter` of the address shows those that ended, `allApps` for keys of administrators;
 * `isMain` has the page's first button.
 */
export function Keys({ attrs: { path, parameter, allApps } }) {
  const resource = load(() => all(path));
  let isCreating = false, made = null;

  async function rotate(key) {
    if (
      !await ask({
        title: t("apiKeys.rotateTitle", { name: key.name }),
        text: t("apiKeys.rotateText", { hours: overlap }),
        confirm: t("apiKeys.rotate"),
        variant: "strong",
      })
    ) return;
    try {
      made = await api.post(`${path}/${key.id}/rotate`, { overlap_hours: overlap }, {
        idempotencyKey: newIdempotencyKey(),
      });
      await resource.reload();
    } catch (error) {
      toastError(error);
    }
  }
  async function revoke(key) {
    const text = sentences([
      t("apiKeys.revokeText"),
      key.kind === "publishable" && t("apiKeys.revokeApp"),
      key.last_used_at && t("apiKeys.revokeUsed", { time: moment(key.last_used_at) }),
    ]);
    if (!await ask({ title: t("apiKeys.revokeTitle", { name: key.name }), text, confirm: t("apiKeys.revoke") })) return;
    await api.delete(`${path}/${key.id}`).then(() => {
      toast(t("apiKeys.revoked"));
      return resource.reload();
    }, toastError);
  }
  /** A secret key stops with the person who created it. */
  const isOfAnother = ({ kind, created_by: person }) => (
    kind === "secret" && person !== null && person !== session.current?.user.id
  );
  async function adopt(key) {
    const title = t("apiKeys.adoptTitle", { name: key.name });
    if (!await ask({ title, text: t("apiKeys.adoptText"), confirm: t("apiKeys.adopt"), variant: "strong" })) return;
    await api.post(`${path}/${key.id}/adopt`).then(() => {
      toast(t("apiKeys.adopted", { name: key.name }));
      return resource.reload();
    }, toastError);
  }
  const history = (key) =>
    session.may("audit:read", allApps ? null : session.app) && {
      label: t("apiKeys.history"),
      icon: "journal-check",
      href: page(`/audit?${new URLSearchParams({ ...(allApps && { scope: "all" }), actor: key.prefix })}`),
    };
  const columns = [
    {
      id: "name",
      label: t("apiKeys.name"),
      wide: true,
      cell: (
        key,
      ) => [
        m("b", key.name),
        m("span.meta.device-under", t(`apiKeys.kinds.${key.kind}`), " · ", m("code", `${key.prefix}…`)),
      ],
    },
    { id: "may", label: t("apiKeys.may"), cell: (key) => may(key, allApps) },
    {
      id: "from",
      label: t("apiKeys.from"),
      cell: (
        { allowed_addresses: from },
      ) => (from.length
        ? [m("span.narrow-label", labelled(t("apiKeys.from"), "")), m("code.anywhere", enumeration(from))]
        : m("span.soft.wide-only", t("apiKeys.anywhere"))),
    },
    {
      id: "used",
      label: t("apiKeys.used"),
      cell: ({ last_used_at: at }) => [
        m("span.narrow-label", labelled(t("apiKeys.used"), "")),
        at
          ? m(
            "span",
            { title: moment(at) },
            m("span.nowrap", relative(at)),
            m("span.meta.device-under.nowrap", moment(at)),
          )
          : t("apiKeys.never"),
      ],
    },
    {
      id: "ends",
      label: t("apiKeys.ends"),
      cell: (
        key,
      ) => [
        stateOf(key) === "works" && key.expires_at && m("span.narrow-label", labelled(t("apiKeys.ends"), "")),
        ends(key),
      ],
    },
    {
      id: "menu",
      label: "",
      cell: (key) => {
        const items = [
          history(key),
          stateOf(key) === "works" && { label: t("apiKeys.rotate"), icon: "arrow-repeat", onclick: () => rotate(key) },
          isLive(key) && isOfAnother(key) &&
          { label: t("apiKeys.adopt"), icon: "person", onclick: () => adopt(key) },
          isLive(key) &&
          { label: t("apiKeys.revoke"), icon: "trash", variant: "danger", onclick: () => revoke(key) },
        ].filter(Boolean);
        return items.length > 0 &&
          m(Menu, { label: t("action.more"), icon: "three-dots", hidden: true, class: "row-menu", items });
      },
    },
  ];
  return {
    onremove: () => resource.end(),
    view: ({ attrs: { title, text, isMain } }) =>
      m(
        "section.sheet.stack",
        { "aria-label": title },
        m(
          "div.row.key-head",
          m("div.grow", m("h2", title), m("p.soft", text)),
          m(Button, {
            variant: isMain ? "strong" : "",
            icon: "plus-lg",
            "data-create": isMain ? "" : undefined,
            onclick: () => {
              isCreating = true;
            },
          }, t("apiKeys.create")),
        ),
        Loaded({ resource, skeleton: m(Skeleton, { rows: 3, height: 36 }) }, (records) => {
          const old = records.filter((key) => stateOf(key) !== "works");
          const showsOld = route.query[parameter] === "shown";
          return [
            m(
              "div.key-table",
              m(Table, {
                label: title,
                columns,
                records: showsOld ? records : records.filter((key) => !old.includes(key)),
                empty: m("p.soft", t("apiKeys.none")),
              }),
            ),
            old.length > 0 &&
            m(Switch, {
              label: t("apiKeys.showOld", { count: old.length }),
              checked: showsOld,
              onchange: (isOn) => setQuery({ [parameter]: isOn ? "shown" : null }),
            }),
          ];
        }),
        isCreating && m(NewKey, {
          path,
          allApps,
          onclose: () => {
            isCreating = false;
          },
          oncreated: (key) => {
            isCreating = false;
            made = key;
            return resource.reload();
          },
        }),
        made && m(
          Dialog,
          {
            title: t("apiKeys.made", { name: made.name }),
            onclose: () => {
              made = null;
            },
            actions: m(Button, {
              variant: "strong",
              onclick: () => {
                made = null;
              },
            }, t("appPage.kept")),
          },
          m("p", t("apiKeys.madeText")),
          m(Copy, { label: made.name, text: made.key }),
          m("p.soft.meta", t(`apiKeys.madeFor.${made.kind}`)),
        ),
      ),
  };
}
