// The image, film or sound of a template: chosen from the library, uploaded, or at an address.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { accepted } from "../media/words.js";
import { inApp, session } from "../session.js";
import { Field, SelectField } from "../ui/field.js";
import { FileDrop } from "../ui/file-drop.js";
import { toastError } from "../ui/toast.js";
import { field, pathsOf } from "../payload/fields.js";
import { fieldProblems } from "../problems/field-problems.js";

/** Attributes: `source`, `media` (the list of the app, to which an upload is added). */
export function MediaField() {
  let isBusy = false;
  async function upload(file, source, list) {
    isBusy = true;
    m.redraw();
    try {
      const added = await api.post(`${inApp("/media")}?name=${encodeURIComponent(file.name)}`, undefined, {
        file,
        type: file.type,
        timeoutMs: 120_000,
      });
      if (!list.some(({ id }) => id === added.id)) list.unshift(added);
      source.change({ media: { id: added.id } });
    } catch (error) {
      toastError(error);
    }
    isBusy = false;
    m.redraw();
  }
  return {
    view: ({ attrs: { source, media: list } }) => {
      const { media } = source.content;
      const readonly = !source.isEditable;
      const current = media?.id ?? (media?.url !== undefined ? "url" : "");
      const problems = pathsOf(field("media")).flatMap((path) => source.problemsAt(path));
      const unlisted = media?.id && !list.some(({ id }) => id === media.id)
        ? [{ value: media.id, label: t("content.unlistedMedia") }]
        : [];
      return m(
        "div.media-field",
        m(SelectField, {
          label: t(field("media").label),
          value: current,
          disabled: readonly,
          help: t("content.mediaHelp"),
          ...fieldProblems(problems),
          options: [
            { value: "", label: t("content.noMedia") },
            ...list.map(({ id, name }) => ({ value: id, label: name })),
            ...unlisted,
            { value: "url", label: t("content.mediaUrl") },
          ],
          onchange: (value) =>
            source.change({ media: value === "" ? null : value === "url" ? { url: "https://" } : { id: value } }),
        }),
        media?.url !== undefined && m(Field, {
          label: t("content.mediaUrlLabel"),
          hidden: true,
          control: (aria) =>
            m("input", {
              ...aria,
              type: "url",
              readonly,
              value: media.url,
              oninput: (event) => source.change({ media: { url: event.target.value } }),
            }),
        }),
        !readonly && session.may("content:write") && m(FileDrop, {
          label: t(isBusy ? "content.uploading" : "content.dropFile"),
          help: isBusy ? null : t("content.chooseFile"),
          accept: accepted,
          slim: true,
          isBusy,
          onfile: (file) => upload(file, source, list),
        }),
      );
    },
  };
}
