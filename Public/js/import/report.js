import m from "../m.js";
import { duration, has, moment, number, t } from "../i18n.js";
import { list as inWords } from "../phrases.js";
import { page } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { toastError } from "../ui/toast.js";
import { LineList } from "./line-list.js";
import { refusedLines } from "./refused.js";
import { types } from "./sample.js";
import { saveText } from "./save.js";
import { forgetUpload, upload } from "./upload.js";

/** Lines that are shown; the file has all that the server lists. */
const shownLines = 20;

const figure = (count, key, variant = "") =>
  m("div", m("b", { class: variant }, number(count)), m("span.soft", t(key, { count })));

/** The numbers of the report; those that are 0 in most imports are left out then. */
const Figures = {
  view: ({ attrs: { report } }) =>
    m(
      "div.figures",
      m(
        "div",
        m("span.figure-large", number(report.stored)),
        m("span.soft", t("import.stored", { count: report.stored })),
      ),
      figure(report.failed, "import.refused", report.failed ? "danger" : ""),
      [
        ["left_out", "import.leftOutLines"],
        ["erased", "import.erased"],
        ["newer", "import.newer"],
        ["opted_out", "import.optedOut"],
        ["opt_outs_kept", "import.optOutsKept"],
        ["opt_outs_removed", "import.optOutsRemoved"],
      ]
        .filter(([member]) => report[member] > 0).map(([member, key]) => figure(report[member], key)),
    ),
};

/** Values that were stored differently from the file: how often, and the lines. */
const Changes = {
  view: ({ attrs: { report: { warnings, changes } } }) => [
    m(
      Banner,
      { variant: "warn" },
      m("b", t("import.warnings")),
      m(
        "ul.plain-list",
        Object.entries(warnings).map(([code, times]) =>
          m(
            "li",
            { key: code },
            number(times),
            " · ",
            has(`import.warning.${code}`) ? t(`import.warning.${code}`) : code,
          )
        ),
      ),
    ),
    m(
      "details.import-help",
      m("summary", t("import.changedLines")),
      m(LineList, { lines: changes, limit: shownLines, label: t("import.changedLines") }),
      changes.length > shownLines && m("p.meta", t("import.moreChanged", { count: changes.length - shownLines })),
    ),
  ],
};

const Refused = {
  view: ({ attrs: { report: { failed, failures }, save } }) => [
    m(
      "div.row",
      m("h3", t("import.refusedLines")),
      m(
        "div.push",
        m(
          Button,
          { icon: "download", onclick: save },
          t(failed > failures.length ? "import.downloadFirst" : "import.download", { count: failures.length }),
        ),
      ),
    ),
    m("p.soft", t("import.mend")),
    m(LineList, { lines: failures, limit: shownLines, label: t("import.refusedLines") }),
    failed > shownLines &&
    m("p.meta", t("import.moreRefused", { count: failed - Math.min(shownLines, failures.length) })),
  ],
};

/** The server's report about the file. */
export const Report = {
  view: () => {
    const { file, report, startedAt, endedAt } = upload;
    const { lines, failed, failures, warnings } = report;
    const save = () =>
      refusedLines(file, failures, report.file).then(
        (text) => saveText(`refused-${file.name.replace(/\.gz$/i, "")}`, text, types[report.file.format]),
        () => toastError(new Error(t("import.fileGone"))),
      );
    const took = endedAt - startedAt;
    return m(
      "section.sheet.stack",
      m("h2", t(failed ? "import.donePartly" : "import.done", { name: file.name })),
      m(
        "p.soft",
        t(took < 1_000 ? "import.tookNone" : "import.took", { lines, time: duration(took), at: moment(endedAt) }),
      ),
      m(Figures, { report }),
      report.file.columns_left_out.length > 0 &&
        m("p.soft", t("import.columnsLeftOut", { columns: inWords(report.file.columns_left_out) })),
      Object.keys(warnings).length > 0 && m(Changes, { report }),
      failed > 0 && m(Refused, { report, save }),
      m(
        "div.row",
        m(Button, { variant: "strong", href: page("/devices") }, t("import.toDevices")),
        m(Button, { onclick: forgetUpload }, t("import.another")),
      ),
    );
  },
};
