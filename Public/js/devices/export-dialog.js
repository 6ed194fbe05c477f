// Says what a file of devices will hold before it is made.

import m from "../m.js";
import { t } from "../i18n.js";
import { query as queryText } from "../api.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { saveFile } from "../ui/download.js";
import { Choices } from "../ui/field.js";
import { isFiltered, parameters } from "./list.js";

export function ExportDialog() {
  let format = "csv";
  let hasTokens = "false";
  return {
    view: ({ attrs: { onclose } }) => {
      const asked = parameters(route.query);
      const href = inApp("/devices/export") +
        queryText({ ...asked, format, tokens: hasTokens === "true" ? true : undefined });
      return m(
        Dialog,
        {
          title: t("devices.export"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              icon: "download",
              href,
              download: `devices.${format}`,
              onclick: (event) => {
                saveFile(event, href, `devices.${format}`);
                setTimeout(onclose);
              },
            }, t("devices.exportNow", { format: format.toUpperCase() })),
            m(Button, { onclick: onclose }, t("action.back")),
          ],
        },
        m("p", isFiltered(route.query) ? t("devices.exportFiltered") : t("devices.exportAll")),
        m("p.soft", t("devices.exportContent")),
        m(Choices, {
          label: t("devices.format"),
          value: format,
          onchange: (value) => {
            format = value;
          },
          inline: true,
          options: [{ value: "csv", label: t("devices.csv") }, { value: "ndjson", label: "NDJSON" }],
        }),
        session.may("devices:tokens") && m(Choices, {
          label: t("devices.tokens"),
          value: hasTokens,
          onchange: (value) => {
            hasTokens = value;
          },
          options: [{ value: "false", label: t("devices.withoutTokens") }, {
            value: "true",
            label: t("devices.withTokens"),
            help: t("devices.withTokensHelp"),
          }],
        }),
      );
    },
  };
}
