// Finds the entries of the command palette: pages and things to create by their words, the rest from the API. None of
// them does anything that can't be undone.

import { has, t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { mayOpen, setup, work } from "../navigation.js";
import { inApp, page, session } from "../session.js";
import { newPayload } from "../content/new-content.js";
import { deviceHref, deviceName, ending, personHref, personName } from "../devices/words.js";

/** Entries of a group. */
const limit = 5;

const pages = [...work, ...setup];
/** Drafts exist as soon as they are begun, so that they can save themselves. */
async function begin(path, body, open) {
  const { id } = await api.post(inApp(path), body, { idempotencyKey: newIdempotencyKey() });
  return page(open(id));
}
const beginnings = {
  campaign: () =>
    begin(
      "/campaigns",
      { name: t("palette.untitled.campaign"), content: { payload: newPayload() } },
      (id) => `/campaigns/${id}/content`,
    ),
  template: () =>
    begin(
      "/templates",
      { name: t("palette.untitled.template"), content: { payload: newPayload() } },
      (id) => `/templates/${id}`,
    ),
};
const creations = [
  [null, "campaign", "plus-lg", "campaigns:write"],
  [null, "template", "plus-lg", "campaigns:write"],
  ["/segments/new", "segment", "plus-lg", "campaigns:write"],
  ["/categories/new", "category", "plus-lg", "content:write"],
  ["/devices/import", "import", "upload", "devices:write"],
];

const contains = (label, text) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());

/**
 * Groups {name, items: [{label, icon, note, href}]} that need no server. Instead of `href`, `begin()` makes a draft and
 * resolves to its address.
 */
export function commands(text) {
  const items = (list, label) =>
    list.filter(mayOpen)
      .map(([path, name, icon]) => ({
        label: label(name),
        icon,
        ...(path === null ? { begin: beginnings[name] } : { href: page(path) }),
      })).filter((each) => contains(each.label, text));
  const own = items(pages, (name) => t(`nav.${name}`));
  const glossary = { label: t("shell.glossary"), href: "/glossary", icon: "book" };
  return [
    { name: "goTo", items: contains(glossary.label, text) && text ? [...own, glossary] : own },
    { name: "create", items: items(creations, (name) => t(`palette.create.${name}`)) },
  ];
}

const state = (campaign) => (has(`state.of.${campaign.state}`) ? t(`state.of.${campaign.state}`) : campaign.state);
const device = (each) => ({
  label: deviceName(each),
  href: deviceHref(each),
  icon: "phone",
  note: [personName(each), each.user_id, ending(each.installation)].filter(Boolean).join(" · "),
});

/** Lists that are searched by name: [group, path, permission, entry]. */
const lists = [
  [
    "campaigns",
    "/campaigns",
    "campaigns:read",
    (each) => ({ label: each.name, href: page(`/campaigns/${each.id}`), icon: "megaphone", note: state(each) }),
  ],
  [
    "templates",
    "/templates",
    "campaigns:read",
    (each) => ({ label: each.name, href: page(`/templates/${each.id}`), icon: "file-earmark-text" }),
  ],
  [
    "segments",
    "/segments",
    "campaigns:read",
    (each) => ({ label: each.name, href: page(`/segments/${each.id}`), icon: "people" }),
  ],
  ["devices", "/devices", "devices:read", device],
];

/** A person whose user id was typed completely, with their devices. */
async function exact(text, signal) {
  if (!session.may("devices:read")) return [];
  const { data } = await api.get(inApp("/devices"), { user_id: text, limit }, { signal });
  return data.length
    ? [{ label: text, href: personHref(text), icon: "person", note: t("palette.person") }, ...data.map(device)]
    : [];
}

/**
 * Asks for everything in parallel; `show` is called with what is there as each answer arrives. {groups, failed}:
 * `failed` is true if an answer is missing.
 */
export async function search(text, signal, show) {
  const found = new Map();
  let failed = false;
  const result = () => {
    const first = found.get("exact") ?? [];
    const known = new Set(first.map(({ href }) => href));
    const typed = (found.get("devices") ?? []).filter(({ whole, href }) => whole && !known.has(href));
    const top = [...first, ...typed];
    const shown = new Set(top.map(({ href }) => href));
    const others = lists.map(([name]) => ({
      name,
      items: (found.get(name) ?? []).filter(({ href }) => !shown.has(href)),
    }));
    return { groups: [...(top.length ? [{ name: "exact", isExact: true, items: top }] : []), ...others], failed };
  };
  const ask = async (name, work) => {
    try {
      found.set(name, await work());
    } catch {
      if (!signal.aborted) failed = true;
    }
    show(result());
  };
  await Promise.all([
    ask("exact", () => exact(text, signal)),
    ...lists.filter(([, , permission]) => session.may(permission)).map(([name, path, , entry]) =>
      ask(name, async () => {
        const { data } = await api.get(inApp(path), { search: text, limit }, { signal });
        return data.map((each) => ({ ...entry(each), whole: each.installation === text }));
      })
    ),
  ]);
  return result();
}
