// The archive of categories and topics: lists of so few that each page loads all of them.

import m from "../m.js";
import { t } from "../i18n.js";
import { all, api } from "../api.js";
import { route, setQuery } from "../router.js";
import { inApp } from "../session.js";
import { Tabs } from "../ui/tabs.js";
import { toast, toastError } from "../ui/toast.js";

/** The records in use, then the archived ones, which have `archived_at`. */
export async function allWithArchive(path) {
  return (await Promise.all([all(path), all(path, { archived: true })])).flat();
}

export const isArchive = () => route.query.archived === "true";

/** The records of the tab that the address names. */
export function ofTab(records) {
  return records.filter(({ archived_at: at }) => Boolean(at) === isArchive());
}

/** Draws nothing while the archive is empty and not open. */
export const ArchiveTabs = {
  view: ({ attrs: { label, records } }) => (isArchive() || records.some(({ archived_at: at }) => at)
    ? m(Tabs, {
      label,
      active: isArchive() ? "archived" : "",
      onchange: (id) => setQuery({ archived: id ? "true" : null }),
      tabs: [{ id: "", label: t("setup.inUse") }, { id: "archived", label: t("setup.archived") }],
    })
    : null),
};

/** An entry of a menu. `path` is below the app; `reload()` shows what changed. */
export function archiveItem(path, { name, archived_at: at }, reload) {
  const move = async (isBack, undoes) => {
    await api.post(inApp(`${path}/${isBack ? "unarchive" : "archive"}`)).then(() => {
      toast(
        t(isBack ? "setup.isBack" : "setup.isArchived", { name }),
        undoes ? {} : { undo: () => move(!isBack, true) },
      );
      return reload();
    }, toastError);
  };
  return { label: t(at ? "action.unarchive" : "action.archive"), icon: "archive", onclick: () => move(Boolean(at)) };
}
