// Finds the templates that show a file. The API does not list them, so the newest version of each template is read.

import m from "../m.js";
import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { api, forEachConcurrently } from "../api.js";
import { inApp, page } from "../session.js";

/** Templates that are read, those that were changed last. */
const limit = 100;

/** Resolves to {byFile: Map(id → [{id, name}]), isPartial}; `isPartial` when there are templates that were not read. */
export async function readUses(signal) {
  const lists = await Promise.all(
    [undefined, true].map((archived) => api.get(inApp("/templates"), { limit, archived, sort: "updated" }, { signal })),
  );
  const templates = lists.flatMap(({ data }) => data);
  const byFile = new Map();
  let isPartial = templates.length > limit || lists.some(({ next_cursor: next }) => next);

  await forEachConcurrently(templates.slice(0, limit), async ({ id }) => {
    try {
      const { name, content } = await api.get(inApp(`/templates/${id}`), {}, { signal });
      const file = content.media?.id;
      if (file) byFile.set(file, [...(byFile.get(file) ?? []), { id, name }]);
    } catch (error) {
      if (signal.aborted) throw error;
      isPartial = true;
    }
  });
  return { byFile, isPartial };
}

/** The templates that use a file, or null while that is not known. */
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

/** The templates that use a file, with links. */
export const Users = {
  view: (
    { attrs: { users } },
  ) => (users === null ? m("span.soft", t("mediaPage.usesUnknown")) : users.length
    ? m(
      "ul.plain-list",
      users.map(({ id, name }) => m("li", { key: id }, m("a", { href: page(`/templates/${id}`), dir: "auto" }, name))),
    )
    : m("span.soft", t("mediaPage.unusedLong"))),
};
