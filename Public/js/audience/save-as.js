// Saves an audience as a segment, under a name.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, APIError, newIdempotencyKey } from "../api.js";
import { inApp } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";
import { forgetKnown } from "./values.js";

/** A dialog. `onsaved(segment)` gets the new segment; `onclose` when it is dismissed. */
export function SaveAsSegment() {
  let name = "";
  let error = null;
  return {
    view: ({ attrs: { audience, onsaved, onclose } }) => {
      const save = async () => {
        if (!name.trim()) {
          error = new APIError(422, { problems: [{ path: "name", message: t("segments.needsName") }] });
          return;
        }
        try {
          const segment = await api.post(inApp("/segments"), { name: name.trim(), audience }, {
            idempotencyKey: newIdempotencyKey(),
          });
          forgetKnown();
          onsaved(segment);
        } catch (failure) {
          error = failure;
        }
        m.redraw();
      };
      const named = error?.problems?.find(({ path }) => path === "name");
      return m(
        Dialog,
        {
          title: t("segments.saveAs"),
          onclose,
          actions: [
            m(Button, { variant: "strong", onclick: save }, t("segments.saveButton")),
            m(Button, { onclick: onclose }, t("action.back")),
          ],
        },
        error && !named && m(Banner, { variant: "danger", role: "alert" }, error.message),
        m(TextField, {
          label: t("segments.name"),
          value: name,
          maxlength: 200,
          autofocus: true,
          error: named?.message,
          help: t("segments.saveHelp"),
          oninput: (value) => {
            name = value;
            error = null;
          },
          onkeydown: (event) => {
            if (event.key === "Enter") save();
          },
        }),
      );
    },
  };
}
