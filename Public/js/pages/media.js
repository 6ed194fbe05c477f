// The media of an app: pictures, sounds and films that templates show. Upload, look, copy the address, delete.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { MediaCard } from "../media/card.js";
import { MediaDetails } from "../media/details.js";
import { LinkDialog } from "../media/link.js";
import { MediaDrop, UploadList } from "../media/upload-list.js";
import { onStored } from "../media/uploads.js";
import { inUseText, readUses, usersOf } from "../media/uses.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast } from "../ui/toast.js";

export default function MediaPage() {
  const list = pagedList(inApp("/media"), () => ({}), { limit: 48 });
  const uses = load(readUses);
  const mayWrite = session.may("content:write");
  let opened = null;
  let isLinking = false;
  const reload = () => list.reload();
  onStored.call = reload;

  const show = (file, error = null) => {
    opened = { file, error };
  };
  /** Asks, and deletes. The reason that prevents it is shown with the file. */
  async function remove(file) {
    const users = usersOf(uses.data, file);
    if (users?.length) return show(file, new Error(inUseText(users)));
    opened = null;
    if (
      !await ask({
        title: t("mediaPage.deleteTitle", { name: file.name }),
        text: t(file.storage === "external" ? "mediaPage.deleteLink" : "mediaPage.deleteText"),
        confirm: t("action.delete"),
      })
    ) return;
    try {
      await api.delete(inApp(`/media/${file.id}`));
      toast(t("mediaPage.deleted", { name: file.name }));
      await list.reload();
    } catch (error) {
      show(file, error);
    }
  }

  const nothing = () => (route.query.cursor
    ? m(
      Empty,
      { icon: "images", title: t("list.pageEmpty") },
      m(Button, { onclick: () => list.restart() }, t("list.firstPage")),
    )
    : m(Empty, {
      icon: "images",
      title: t("mediaPage.empty"),
      text: t(mayWrite ? "mediaPage.emptyText" : "mediaPage.emptyRead"),
    }, m(Button, { href: page("/templates"), icon: "file-earmark-text" }, t("mediaPage.toTemplates"))));
  const unsafe = () => list.records.find(({ warnings }) => warnings.some(({ code }) => code === "not-https"));

  return {
    onremove() {
      // Another app's library may have set its own already.
      if (onStored.call === reload) onStored.call = () => {};
      list.end();
      uses.end();
    },
    view: () => [
      m(
        "div.page-head",
        m("h1", t("nav.media")),
        mayWrite && m(Button, {
          icon: "link",
          onclick: () => {
            isLinking = true;
          },
        }, t("mediaPage.link")),
      ),
      m(
        "div.sheet.stack",
        mayWrite && [m(MediaDrop), m(UploadList)],
        unsafe() && m(Banner, { variant: "warn" }, t("mediaPage.notHTTPS", { origin: new URL(unsafe().url).origin })),
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 6, height: 72 }) }, () => [
          list.records.length
            ? m(
              "ul.media-grid",
              { "aria-label": t("nav.media") },
              list.records.map((file) =>
                m(MediaCard, {
                  key: file.id,
                  file,
                  users: usersOf(uses.data, file),
                  open: () => show(file),
                  remove: mayWrite && (() => remove(file)),
                })
              ),
            )
            : nothing(),
          m(Pager, { list }),
        ]),
      ),
      opened &&
      m(MediaDetails, {
        ...opened,
        users: usersOf(uses.data, opened.file),
        remove: mayWrite && (() => remove(opened.file)),
        onclose: () => {
          opened = null;
        },
      }),
      isLinking && m(LinkDialog, {
        onclose: () => {
          isLinking = false;
        },
        onsaved: (file) => {
          isLinking = false;
          toast(t("mediaPage.linked", { name: file.name }));
          list.restart();
        },
      }),
    ],
  };
}
