// Imports devices from a file: choose it, look at its columns, send it, see what was refused.

import m from "../m.js";
import { t } from "../i18n.js";
import { APIError } from "../api.js";
import { page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { FileDrop } from "../ui/file-drop.js";
import { Icon } from "../ui/icon.js";
import { saveText } from "../import/save.js";
import { FileLook } from "../import/look.js";
import { Report } from "../import/report.js";
import { Running } from "../import/running.js";
import { loadSample, types } from "../import/sample.js";
import { forgetUpload, startUpload, upload } from "../import/upload.js";

/** Refusals of the whole file. After any other, lines may be stored. */
const beforeFirstLine = new Set([
  "no-header",
  "invalid-body",
  "unsupported-media-type",
  "permission-missing",
  "app-not-found",
  "not-a-text-file",
  "encoding-not-installed",
  "invalid-columns",
  "invalid-as_of",
]);
const example = "installation,token,environment,user_id,locale,time_zone,tags,person.attr.first_name\r\n" +
  `8E4C0F6B-phone-1,${"8f3a5c0e7b1d4926".repeat(4)},production,ada,en_GB,Europe/London,vip;beta,Ada\r\n`;
const helpColumns = [
  "token",
  "environment",
  "installation",
  "user_id",
  "locale",
  "time_zone",
  "tags",
  "attr.plan",
  "person.attr.first_name",
];
const accept =
  ".csv,.tsv,.txt,.ndjson,.jsonl,.json,.gz,text/csv,application/json,application/x-ndjson,application/gzip";

const Help = {
  view: () =>
    m(
      "details.import-help",
      m("summary", t("import.help")),
      m("p.soft", t("import.helpText")),
      m(
        "dl.facts",
        helpColumns.map((name) =>
          m("div", { key: name }, m("dt", m("code", name)), m("dd", t(`import.column.${name.replaceAll(".", "_")}`)))
        ),
      ),
      m(
        "div.row",
        m(Button, {
          icon: "download",
          class: "small",
          onclick: () => saveText("devices-example.csv", example, types.csv),
        }, t("import.example")),
      ),
    ),
};

const Failed = {
  view: () => {
    const { error, file, sample, options } = upload;
    const isOfAPI = error instanceof APIError;
    return m(
      "section.sheet.stack",
      m("h2", t("import.failed", { name: file.name })),
      m(
        Banner,
        { variant: "danger", role: "alert" },
        error.problems?.length
          ? m(
            "ul.plain-list",
            error.problems.map(({ path, message }) =>
              m("li", { key: path + message }, m("b", path.replace(/^header\./, "")), " ", message)
            ),
          )
          : error.message,
      ),
      // A file that was refused as a whole is to be mended; one that was cut off can be sent again.
      m("p.soft", t(beforeFirstLine.has(error.code) ? "import.refusedWhole" : "import.again")),
      m(
        "div.row",
        !isOfAPI &&
          m(Button, { variant: "strong", onclick: () => startUpload(file, sample, options) }, t("import.sendAgain")),
        m(Button, { variant: isOfAPI ? "strong" : "", onclick: forgetUpload }, t("import.other")),
      ),
    );
  },
};

export default function ImportPage() {
  let file = null;
  let sample = null;
  let error = null;
  let isReading = false;

  async function take(chosen) {
    error = null;
    sample = null;
    file = chosen;
    isReading = true;
    try {
      sample = await loadSample(chosen);
      if (!sample.columns.length && !sample.lines) throw new Error(t("import.empty"));
    } catch (problem) {
      sample = null;
      error = problem instanceof DOMException ? t("import.fileGone") : problem.message;
    }
    isReading = false;
    m.redraw();
  }
  const leave = () => {
    file = sample = null;
  };

  const choose = () =>
    m(
      "section.sheet.stack",
      m("p.soft", t("import.intro")),
      error && m(Banner, { variant: "danger", role: "alert" }, m("b", file.name), " ", error),
      m(
        FileDrop,
        { label: t("import.drop"), help: t("import.dropText"), accept, onfile: take, isBusy: isReading },
        m("span.button", { "aria-hidden": "true" }, t("import.choose")),
      ),
      m(Help),
    );
  const body = () => {
    const isHere = upload.app === session.app;
    if (!session.may("devices:write")) return m(Banner, t("import.mayNot"));
    if (upload.state === "sending") return isHere ? m(Running) : m(Banner, { variant: "note" }, t("import.elsewhere"));
    if (isHere && upload.state === "done") return m(Report);
    if (isHere && upload.state === "failed") return m(Failed);
    return sample ? m(FileLook, { file, sample, onleave: leave }) : choose();
  };

  return {
    view: () => [
      m(
        "div.page-head",
        m(
          "div.grow",
          m("a.back.meta", { href: page("/devices") }, m(Icon, { name: "chevron-left" }), t("devices.title")),
          m("h1", t("import.title")),
        ),
      ),
      body(),
    ],
  };
}
