// Imports devices from a file: choose, look at the first lines, send, see what was refused.

import m from "../m.js";
import { t, has, duration, format, list as inWords, moment, number, share } from "../i18n.js";
import { APIError } from "../api.js";
import { session, page } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { FileDrop } from "../ui/file-drop.js";
import { Icon } from "../ui/icon.js";
import { Progress } from "../ui/meter.js";
import { toastError } from "../ui/toast.js";
import { saveText } from "../import/save.js";
import { reasonOf, refusedLines } from "../import/refused.js";
import { isKnownColumn, sampleOf, types } from "../import/sample.js";
import { forgetUpload, startUpload, stopUpload, upload } from "../import/upload.js";

/** Refused lines that are shown; the file has all that the server lists. */
const shownFailures = 20;
/** Refusals of the whole file. After any other, lines may be stored. */
const beforeFirstLine = new Set(["no-header", "invalid-body", "unsupported-media-type", "permission-missing", "app-not-found"]);
const example = "installation,token,environment,user_id,locale,time_zone,tags,person.attr.first_name\r\n"
  + "8E4C0F6B-phone-1,8f3a5c0e7b1d49268f3a5c0e7b1d49268f3a5c0e7b1d49268f3a5c0e7b1d4926,production,ada,en_GB,Europe/London,vip;beta,Ada\r\n";
const helpColumns = ["installation", "token", "environment", "user_id", "locale", "time_zone", "tags", "attr.plan", "person.attr.first_name"];

function size(bytes) {
  const [unit, factor] = bytes >= 1e6 ? ["megabyte", 1e6] : bytes >= 1e3 ? ["kilobyte", 1e3] : ["byte", 1];
  return format("NumberFormat", { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: bytes >= 1e7 ? 0 : 1 }).format(bytes / factor);
}

/** "412,000" or "about 412,000". */
const count = ({ lines, isExact }) => (isExact ? number(lines) : t("import.about", { number: number(Number(lines.toPrecision(2))) }));

const Help = {
  view: () => m("details.import-help", m("summary", t("import.help")),
    m("p.soft", t("import.helpText")),
    m("dl.facts", helpColumns.map((name) => m("div", { key: name }, m("dt", m("code", name)), m("dd", t(`import.column.${name.replaceAll(".", "_")}`))))),
    m("div.row", m(Button, { icon: "download", class: "small", onclick: () => saveText("devices-example.csv", example, types.csv) }, t("import.example")))),
};

/** The first lines as a table. Columns that the server does not know are marked. */
const Sample = {
  view: ({ attrs: { sample: { kind, columns, rows } } }) => m("div.table-scroll", { tabindex: 0, "aria-label": t("import.firstLines") }, m("table.table.sample",
    m("thead", m("tr", columns.map((name) => {
      const isKnown = kind !== "csv" || isKnownColumn(name);
      return m("th", { scope: "col", class: isKnown ? "" : "grave" }, name, !isKnown && [" ", m(Icon, { name: "exclamation-triangle", label: t("import.unknownColumn") })]);
    }))),
    m("tbody", rows.map((row) => m("tr", columns.map((name, index) => m("td", row[index] ? m("span.cut.sample-cell", { title: row[index] }, row[index]) : m("span.soft", "–")))))))),
};

const Running = {
  view: () => {
    const { file, sample, sent, startedAt } = upload;
    const part = Math.min(1, sent / file.size);
    const read = Math.min(sample.lines, Math.round(sent / sample.bytesPerLine));
    const passed = Date.now() - startedAt;
    return m("section.sheet.stack", m("h2", t("import.sending", { name: file.name })),
      m("p.figure-large", share(part, 1, 0)),
      m(Progress, { value: part, label: t("import.sending", { name: file.name }) }),
      m("p", { role: "status" }, part < 1
        ? t("import.read", { read: number(Number(read.toPrecision(3))), all: count(sample) })
        : t("import.storing")),
      m("p.soft", part > 0.01 && part < 1 && passed > 3_000 ? `${t("import.left", { time: duration((passed / part) * (1 - part)) })} ` : "", t("import.leave")),
      m("div.row", m(Button, { look: "grave", onclick: stopUpload }, t("import.stop")), m(Button, { href: page("/devices") }, t("import.toDevices"))));
  },
};

const Report = {
  view: () => {
    const { file, sample, report: { lines, stored, failed, failures, warnings }, startedAt, endedAt } = upload;
    const save = () => refusedLines(file, sample.kind, failures).then(
      (text) => saveText(`refused-${file.name}`, text, types[sample.kind]), () => toastError(new Error(t("import.fileGone"))));
    return m("section.sheet.stack",
      m("h2", t(failed ? "import.donePartly" : "import.done", { name: file.name })),
      m("p.soft", t(endedAt - startedAt < 1_000 ? "import.tookNone" : "import.took", { lines, time: duration(endedAt - startedAt), at: moment(endedAt) })),
      m("div.figures", m("div", m("span.figure-large", number(stored)), m("span.soft", t("import.stored", { count: stored }))),
        m("div", m("b", { class: failed ? "grave" : "" }, number(failed)), m("span.soft", t("import.refused", { count: failed })))),
      Object.keys(warnings).length > 0 && m(Banner, { look: "warn" }, m("b", t("import.warnings")), m("ul.plain-list", Object.entries(warnings).map(([code, times]) =>
        m("li", { key: code }, number(times), " · ", has(`import.warning.${code}`) ? t(`import.warning.${code}`) : code)))),
      failed > 0 && [
        m("div.row", m("h3", t("import.refusedLines")), m("div.push", m(Button, { icon: "download", onclick: save },
          t(failed > failures.length ? "import.downloadFirst" : "import.download", { count: failures.length })))),
        m("p.soft", t("import.mend")),
        m("div.table-scroll", m("table.table.refused", m("thead", m("tr", m("th.number", { scope: "col" }, t("import.line")), m("th.wide", { scope: "col" }, t("import.reason")))),
          m("tbody", failures.slice(0, shownFailures).map(({ line, problems }) => m("tr", { key: line }, m("td.number", number(line)), m("td.wide", reasonOf(problems))))))),
        failed > shownFailures && m("p.meta", t("import.moreRefused", { count: failed - Math.min(shownFailures, failures.length) })),
      ],
      m("div.row", m(Button, { look: "strong", href: page("/devices") }, t("import.toDevices")), m(Button, { onclick: forgetUpload }, t("import.another"))));
  },
};

export default function ImportPage() {
  let file = null;
  let sample = null;
  let error = null;

  async function take(chosen) {
    error = null;
    file = chosen;
    sample = null;
    try {
      sample = await sampleOf(chosen);
    } catch {
      file = null;
      error = t("import.fileGone");
    }
    m.redraw();
  }
  const leave = () => {
    file = null;
    sample = null;
  };

  const choose = () => m("section.sheet.stack", error && m(Banner, { look: "grave", role: "alert" }, error), m("p.soft", t("import.intro")), m(FileDrop, { label: t("import.drop"), help: t("import.dropText"), accept: ".csv,.ndjson,.jsonl,text/csv,application/x-ndjson", onfile: take },
    m("span.button", { "aria-hidden": "true" }, t("import.choose"))), m(Help));
  const look = () => {
    const stops = sample.problems.some(({ name }) => ["empty", "onlyHeader", "semicolons", "noInstallation", "unknown"].includes(name));
    return m("section.sheet.stack",
      m("div.row", m("h2.anywhere", file.name), m("span.soft.push", t("import.size", { size: size(file.size), count: count(sample) }))),
      sample.problems.map(({ name, columns }) => m(Banner, { look: "warn", role: "alert" }, t(`import.problem.${name}`, { columns: columns && inWords(columns), count: columns?.length }))),
      sample.rows.length > 0 && [m("h3", t("import.firstLines")), m(Sample, { sample })],
      m("p.soft", t("import.what")),
      m("div.row", m(Button, {
        look: "strong", icon: "upload", reason: stops ? t("import.mendFirst") : undefined, onclick: () => {
          startUpload(file, sample);
          leave();
        },
      }, t("import.start", { count: count(sample) })), m(Button, { onclick: leave }, t("import.other"))));
  };
  const failed = () => {
    const { error: problem, file: sent, sample: known } = upload;
    const isMeanwhile = !beforeFirstLine.has(problem.code);
    return m("section.sheet.stack", m("h2", t("import.failed", { name: sent.name })),
      m(Banner, { look: "grave", role: "alert" }, problem.problems?.length ? m("ul.plain-list", problem.problems.map(({ path, message }) => m("li", m("b", path.replace(/^header\./, "")), " ", message))) : problem.message),
      // A file that was refused as a whole is to be mended; one that was cut off can be sent again.
      m("p.soft", t(isMeanwhile ? "import.again" : "import.refusedWhole")),
      m("div.row", !(problem instanceof APIError) && m(Button, { look: "strong", onclick: () => startUpload(sent, known) }, t("import.sendAgain")),
        m(Button, { look: problem instanceof APIError ? "strong" : "", onclick: forgetUpload }, t("import.other"))));
  };

  return {
    view: () => {
      const isHere = upload.app === session.app;
      const body = () => {
        if (!session.may("devices:write")) return m(Banner, t("import.mayNot"));
        if (upload.state === "sending") return isHere ? m(Running) : m(Banner, { look: "note" }, t("import.elsewhere"));
        if (isHere && upload.state === "done") return m(Report);
        if (isHere && upload.state === "failed") return failed();
        return file && sample ? look() : choose();
      };
      return [
        m("div.page-head", m("div.grow", m("a.back.meta", { href: page("/devices") }, m(Icon, { name: "chevron-left" }), t("devices.title")), m("h1", t("import.title")))),
        body(),
      ];
    },
  };
}
