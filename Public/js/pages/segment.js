// One saved audience: builder and count side by side, what uses it, and conflicts with other people's changes.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api, APIError, newIdempotencyKey } from "../api.js";
import { AudienceBuilder } from "../audience/builder.js";
import { Count, newCounter } from "../audience/count.js";
import { sentence } from "../audience/sentence.js";
import { isSame } from "../audience/tree.js";
import { forgetKnown, known } from "../audience/values.js";
import { load, LoadedPage } from "../loading.js";
import { navigate, setGuard } from "../router.js";
import { inApp, page, session } from "../session.js";
import { UsedBy } from "../segments/used-by.js";
import { Badge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";
import { askDiscard } from "../draft/ask-discard.js";
import { Icon } from "../ui/icon.js";
import { Menu } from "../ui/menu.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast, toastError } from "../ui/toast.js";

export default function SegmentPage({ attrs: { params } }) {
  const isNew = params.segment === "new";
  const path = inApp(`/segments/${params.segment}`);
  const kept = `belfry.segment.${params.app}.${params.segment}`;
  const counter = newCounter();
  const memory = {};
  const mayWrite = session.may("campaigns:write");
  let edited = null;
  let problems = [];
  let failure = null;
  let theirs = null;

  const resource = load(async (signal) => {
    const data = isNew
      ? { name: "", audience: {}, version: 0, used_by: [], archived_at: null }
      : await api.get(path, {}, { signal });
    const stored = mayWrite ? read() : null;
    if (!edited) edited = stored ?? { name: data.name, audience: data.audience, version: data.version };
    if (stored && isChanged(data)) toast(t("segments.restored"));
    if (stored && !isNew && stored.version !== data.version) theirs = data;
    return data;
  });
  const isChanged = (data = resource.data) =>
    Boolean(edited && data) && (edited.name !== data.name || !isSame(edited.audience, data.audience));

  /** Unsaved changes survive a reload. */
  function read() {
    try {
      return JSON.parse(sessionStorage.getItem(kept));
    } catch {
      return null;
    }
  }
  function change(changes) {
    Object.assign(edited, changes);
    problems = problems.filter(({ path: at }) =>
      !Object.keys(changes).some((name) => at === name || at.startsWith(`${name}.`))
    );
    failure = null;
    sessionStorage.setItem(kept, JSON.stringify(edited));
  }
  function forget() {
    sessionStorage.removeItem(kept);
    edited = null;
    problems = [];
    theirs = failure = null;
  }
  setGuard(() => !isChanged() || window.confirm(t("segments.leave")) && (forget(), true));

  async function save(version = edited.version) {
    if (!edited.name.trim()) return void (problems = [{ path: "name", message: t("segments.needsName") }]);
    if (!edited.audience.include && !edited.audience.exclude) {
      return void (problems = [{ path: "audience", message: t("segments.needsCondition") }]);
    }
    const body = { name: edited.name.trim(), audience: edited.audience };
    try {
      const saved = isNew
        ? await api.post(inApp("/segments"), body, { idempotencyKey: newIdempotencyKey() })
        : await api.patch(path, body, { ifMatch: version });
      take({ ...resource.data, ...saved });
      forgetKnown();
      if (isNew) return navigate(page(`/segments/${saved.id}`), { replace: true });
      toast(t("segments.savedAt"));
    } catch (error) {
      if (error instanceof APIError && error.status === 412) theirs = await api.get(path);
      else if (error instanceof APIError && error.problems.length) problems = error.problems;
      else failure = error;
    }
    m.redraw();
  }

  const take = (next) => {
    forget();
    edited = { name: next.name, audience: next.audience, version: next.version };
    resource.data = next;
  };

  async function archive() {
    const isBack = Boolean(resource.data.archived_at);
    try {
      await api.post(`${path}/${isBack ? "unarchive" : "archive"}`);
      toast(t(isBack ? "segments.wasUnarchived" : "segments.wasArchived", { count: 1 }), { undo: archive });
      forgetKnown();
      const isClean = edited.version === resource.data.version;
      await resource.reload();
      // The archive raised the version; nobody changed the content.
      if (isClean) edited.version = resource.data.version;
    } catch (error) {
      toastError(error);
    }
  }

  async function remove() {
    const { name } = resource.data;
    if (
      !await ask({
        title: t("segments.delete"),
        text: t("segments.deleteText", { name }),
        confirm: t("segments.delete"),
      })
    ) return;
    try {
      await api.delete(path);
      forget();
      forgetKnown();
      toast(t("segments.deleted", { name }));
      navigate(page("/segments"));
    } catch (error) {
      toastError(error);
    }
  }

  async function duplicate() {
    try {
      const copy = await api.post(`${path}/duplicate`, {}, { idempotencyKey: newIdempotencyKey() });
      toast(t("segments.copied", { name: copy.name }));
      navigate(page(`/segments/${copy.id}`));
    } catch (error) {
      toastError(error);
    }
  }

  const Conflict = () =>
    m(
      Banner,
      { variant: "danger", role: "alert" },
      m(
        "div.stack",
        { style: { "--gap": "8px" } },
        m("p", t("segments.conflict")),
        theirs.name !== edited.name && m("p", t("segments.conflictName", { text: theirs.name })),
        !isSame(theirs.audience, edited.audience) &&
          m("p", t("segments.conflictTheirs", { text: sentence(theirs.audience, known().names) })),
        m(
          "div.row",
          m(Button, { onclick: () => save(theirs.version) }, t("segments.keepMine")),
          m(Button, { onclick: () => take(theirs) }, t("segments.takeTheirs")),
        ),
      ),
    );

  /** The changes that are not saved: the names of the parts, and how to drop them. */
  function changes() {
    const { data } = resource;
    const before = { ...edited };
    const parts = [
      edited.name !== data.name && t("segments.name"),
      !isSame(edited.audience, data.audience) && t("segments.who"),
    ];
    return {
      parts: parts.filter(Boolean),
      discard: () => {
        take(data);
        return () => change(before);
      },
    };
  }

  function head(data) {
    return m(
      "div.page-head",
      m(
        "div.grow",
        m("a.crumb", { href: page("/segments") }, m(Icon, { name: "chevron-left" }), t("segments.title")),
        m("h1", isNew ? t("segments.new") : data.name),
      ),
      data.archived_at && m(Badge, { variant: "warn" }, t("segments.archived")),
      isChanged() && m("span.soft", { role: "status" }, t("segments.unsaved")),
      mayWrite && m(Button, {
        variant: "strong",
        onclick: () => save(),
        reason: theirs ? t("segments.conflict") : isChanged() || isNew ? undefined : t("segments.unchanged"),
      }, t(isNew ? "segments.create" : "segments.save")),
      mayWrite && !isNew && m(Menu, {
        label: t("action.more"),
        icon: "three-dots",
        hidden: true,
        items: [
          isChanged() &&
          { label: t("segments.discard"), icon: "arrow-counterclockwise", onclick: () => askDiscard(changes()) },
          session.may("devices:read") &&
          { label: t("segments.devices"), icon: "phone", href: `${page("/devices")}?segment=${params.segment}` },
          { label: t("action.duplicate"), icon: "files", onclick: duplicate },
          { label: t(data.archived_at ? "action.unarchive" : "action.archive"), icon: "archive", onclick: archive },
          !data.used_by.length && { label: t("segments.delete"), icon: "trash", variant: "danger", onclick: remove },
        ],
      }),
    );
  }

  return {
    onremove: () => {
      resource.end();
      counter.end();
    },
    view: () =>
      LoadedPage({
        resource,
        skeleton: m(Skeleton, { rows: 8 }),
        list: { href: page("/segments"), title: t("nav.segments") },
      }, (data) =>
        edited && [
          head(data),
          m(
            "div.stack",
            theirs && Conflict(),
            failure && m(Banner, { variant: "danger", role: "alert" }, failure.message),
            data.archived_at && m(Banner, t("segments.isArchived")),
            m(
              "div.with-count",
              m(
                "section.sheet.stack",
                mayWrite && m(TextField, {
                  label: t("segments.name"),
                  value: edited.name,
                  maxlength: 200,
                  error: problems.find((each) => each.path === "name")?.message,
                  oninput: (name) => change({ name }),
                }),
                m(AudienceBuilder, {
                  value: edited.audience,
                  memory,
                  except: isNew ? undefined : params.segment,
                  readonly: !mayWrite,
                  problems: problems.length ? problems.filter(({ path: at }) => at !== "name") : counter.problems,
                  onchange: (audience) => change({ audience }),
                }),
              ),
              m(
                "aside.sheet.stack",
                m(Count, { counter, audience: edited.audience, isSegment: true }),
                !isNew && m(UsedBy, { users: data.used_by }),
                !isNew && m("p.meta", `${t("segments.changed")} ${moment(data.updated_at)}`),
              ),
            ),
          ),
        ]),
  };
}
