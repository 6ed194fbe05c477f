// The place to drop files, and the progress of each.

import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { ServerUnavailable } from "../api.js";
import { Button } from "../ui/button.js";
import { dropTarget, hasFiles } from "../ui/file-drop.js";
import { Icon } from "../ui/icon.js";
import { Progress } from "../ui/meter.js";
import { dismiss, repeat, upload, uploadsOfApp } from "./uploads.js";
import { accepted, sizeText } from "./words.js";

const icons = { done: "check-circle", known: "info-circle", failed: "exclamation-octagon" };

/** Takes several files together. */
export function MediaDrop() {
  const target = dropTarget({ accepts: hasFiles, ondrop: (event) => upload(event.dataTransfer.files) });
  return {
    view: () =>
      m(
        "label.drop.media-drop",
        { class: target.isOver ? "over" : "", ...target.attrs },
        m(Icon, { name: "upload" }),
        m("b", t("mediaPage.drop")),
        m("span.soft.meta", t("mediaPage.dropHelp")),
        m("span.soft.meta", t("mediaPage.limits")),
        m("input.visually-hidden", {
          type: "file",
          multiple: true,
          accept: accepted,
          onchange: (event) => {
            upload(event.target.files);
            // The same file can be chosen again, after it was mended.
            event.target.value = "";
          },
        }),
      ),
  };
}

function stateText({ state, error, sent, file, stored }) {
  if (state === "failed") return m("span.danger", { lang: langOf(error.message) }, error.message);
  if (state === "known") return t("mediaPage.known", { name: stored.name });
  if (state === "done") return t("mediaPage.stored");
  // Everything is sent, and the server has not answered yet.
  if (state === "sending") {
    return sent >= file.size
      ? t("mediaPage.checking")
      : t("mediaPage.sent", { sent: sizeText(sent), size: sizeText(file.size) });
  }
  return t("mediaPage.waiting");
}

/** The uploads of this app that nobody has dismissed. Draws nothing without any. */
export const UploadList = {
  view: () => {
    const entries = uploadsOfApp();
    if (!entries.length) return null;
    const ended = entries.filter(({ state }) => state === "done" || state === "known");
    return m(
      "section.upload-list",
      { "aria-label": t("mediaPage.uploads") },
      m(
        "ul",
        entries.map((entry) => {
          const { id, state, file, sent, error } = entry;
          const isRunning = state === "sending" || state === "waiting";
          return m(
            "li.upload",
            { key: id, "data-state": state },
            m(Icon, { name: icons[state] ?? "upload" }),
            m(
              "div.grow",
              m("div.cut", { dir: "auto", title: file.name }, m("b", file.name)),
              m(
                "div.meta",
                isRunning && stateText(entry),
                m("span", { role: state === "failed" ? "alert" : "status" }, !isRunning && stateText(entry)),
              ),
              state === "sending" &&
                m(Progress, {
                  value: file.size ? sent / file.size : null,
                  label: t("mediaPage.progress", { name: file.name }),
                }),
            ),
            error instanceof ServerUnavailable &&
              m(Button, { class: "small", onclick: () => repeat(entry) }, t("action.retry")),
            m(Button, {
              variant: "plain",
              class: "small",
              icon: "x-lg",
              "aria-label": t(isRunning ? "mediaPage.stop" : "mediaPage.dismiss", { name: file.name }),
              onclick: () => dismiss(entry),
            }),
          );
        }),
      ),
      ended.length > 1 &&
        m(
          Button,
          { variant: "plain", class: "small", onclick: () => ended.forEach(dismiss) },
          t("mediaPage.dismissDone"),
        ),
    );
  },
};
