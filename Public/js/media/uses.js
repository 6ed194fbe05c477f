// Finds the campaigns and templates that show a file. The API does not list them, so the newest version of each
// template is read.

import m from "../m.js";
import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { api, forEachConcurrently } from "../api.js";
import { inApp, page } from "../session.js";

/** Campaigns and templates that are read, those that were changed last. */
const limit = 100;

/** Those in use and those in the archive: {data, isPartial}. */
async function readBoth(kind, signal) {
  const lists = await Promise.all(
    [undefined, true].map((archived) => api.get(inApp(`/${kind}`), { limit, archived, sort: "updated" }, { signal })),
  );
  return { data: lists.flatMap(({ data }) => data), isPartial: lists.some(({ next_cursor: next }) => next) };
}

/** Resolves to {byFile: Map(id → [{path, name}]), isPartial}; `isPartial` when some texts were not read. */
export async function readUses(signal) {
  const [campaigns, templates] = await Promise.all(["campaigns", "templates"].map((kind) => readBoth(kind, signal)));
  const byFile = new Map();
  let isPartial = campaigns.isPartial || templates.isPartial || templates.data.length > limit;
  const note = (path, name, contents) => {
    for (const file of new Set(contents.map((content) => content?.media?.id).filter(Boolean))) {
      byFile.set(file, [...(byFile.get(file) ?? []), { path, name }]);
    }
  };

  for (const { id, name, variants, content } of campaigns.data) {
    note(`/campaigns/${id}`, name, (variants ?? [{ content }]).map((each) => each.content));
  }
  await forEachConcurrently(templates.data.slice(0, limit), async ({ id }) => {
    try {
      const { name, content } = await api.get(inApp(`/templates/${id}`), {}, { signal });
      note(`/templates/${id}`, name, [content]);
    } catch (error) {
      if (signal.aborted) throw error;
      isPartial = true;
    }
  });
  return { byFile, isPartial };
}

/** The campaigns and templates that use a file, or null while that is not known. */
export function usersOf(uses, { id }) {
  return uses ? uses.byFile.get(id) ?? (uses.isPartial ? null : []) : null;
}

/** The reason why a file can't be deleted. */
export function inUseText(users) {
  return t("mediaPage.inUse", {
    names: list(users.map(({ name }) => t("mediaPage.quoted", { name }))),
    count: users.length,
  });
}

/** The campaigns and templates that use a file, with links. */
export const Users = {
  view: (
    { attrs: { users } },
  ) => (users === null ? m("span.soft", t("mediaPage.usesUnknown")) : users.length
    ? m(
      "ul.plain-list",
      users.map(({ path, name }) => m("li", { key: path }, m("a", { href: page(path), dir: "auto" }, name))),
    )
    : m("span.soft", t("mediaPage.unusedLong"))),
};
