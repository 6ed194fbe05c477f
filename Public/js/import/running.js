import m from "../m.js";
import { amount, duration, number, share, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { page } from "../session.js";
import { Button } from "../ui/button.js";
import { Progress } from "../ui/meter.js";
import { stopUpload, upload } from "./upload.js";

/** "412,000" or "about 412,000". */
export const lineCount = (
  { total, isExact },
) => (isExact ? number(total) : t("import.about", { number: number(Number(total.toPrecision(2))) }));

/** A number of bytes, as in "1.2 MB". */
export function fileSize(bytes) {
  const [unit, factor] = bytes >= 1e6 ? ["megabyte", 1e6] : bytes >= 1e3 ? ["kilobyte", 1e3] : ["byte", 1];
  const unitDisplay = unit === "byte" ? "long" : "short";
  const maximumFractionDigits = bytes >= 1e7 ? 0 : 1;
  return amount(bytes / factor, unit, { unitDisplay, maximumFractionDigits });
}

/** The import that runs: what the server has read of the file, and the lines that it has stored. */
export const Running = {
  view: () => {
    const { file, sample, sent, received, startedAt } = upload;
    const bytes = received ? received.bytes_read : sent;
    const part = file.size ? Math.min(1, bytes / file.size) : 1;
    const passed = Date.now() - startedAt;
    const sizes = { part: fileSize(Math.min(bytes, file.size)), all: fileSize(file.size) };
    const read = t(received ? "import.read" : "import.sent", sizes);
    const left = part > 0.01 && part < 1 && passed > 3_000;
    return m(
      "section.sheet.stack",
      m("h2", t("import.sending", { name: file.name })),
      m("p.figure-large", share(part, 1, 0)),
      m(Progress, { value: part, label: t("import.sending", { name: file.name }) }),
      m(
        "p",
        { role: "status" },
        received
          ? t("import.storedSoFar", { stored: number(received.stored), all: lineCount(sample) })
          : t("import.beginning"),
      ),
      received?.failed > 0 && m("p.danger", t("import.failedSoFar", { count: received.failed })),
      m(
        "p.soft",
        sentences([
          part < 1 ? read : t("import.storing"),
          left && t("import.left", { time: duration((passed / part) * (1 - part)) }),
        ]),
      ),
      m("p.soft", t("import.leave")),
      m(
        "div.row",
        m(Button, { variant: "danger", onclick: stopUpload }, t("import.stop")),
        m(Button, { href: page("/devices") }, t("import.toDevices")),
      ),
    );
  },
};
