// A file that was chosen: how it was read, what its columns become, and what is wrong with it, before anything is sent.

import m from "../m.js";
import { t } from "../i18n.js";
import { clauses } from "../phrases.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { SelectField } from "../ui/field.js";
import { LineList } from "./line-list.js";
import { columnsParameter, initialMapping } from "./mapping.js";
import { MappingTable } from "./mapping-table.js";
import { fileSize, lineCount } from "./running.js";
import { loadSample } from "./sample.js";
import { EnvironmentField, initialTerms, Terms, termsQuery } from "./terms.js";
import { startUpload } from "./upload.js";

/** Milliseconds after the last change until the server is asked again. */
const recheckDelayMs = 300;
const shownLines = 5;
const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-kr",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1254",
];

const separatorNames = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" };

/** How the server has divided the file: "Semicolons between the columns". */
const facts = (
  { kind, file },
) => (kind === "csv" ? t(`import.separator.${separatorNames[file.separator] ?? "comma"}`) : t("import.ndjson"));

/** The server's answer about the first lines. */
const Check = {
  view: ({ attrs: { sample } }) => {
    const { lines, accepted, failed, left_out: leftOut, opted_out: optedOut, failures, changes } = sample;
    const parts = [
      t("import.accepted", { count: accepted }),
      failed > 0 && t("import.wouldFail", { count: failed }),
      leftOut > 0 && t("import.wouldLeaveOut", { count: leftOut }),
      optedOut > 0 && t("import.wouldOptOut", { count: optedOut }),
    ].filter(Boolean);
    return m(
      "section.stack",
      m("h3", t(sample.isExact ? "import.check" : "import.checkFirst", { count: lines })),
      m("p", { role: "status" }, clauses(parts)),
      failures.length > 0 && m(LineList, { lines: failures, limit: shownLines, label: t("import.refusedLines") }),
      changes.length > 0 &&
        m(
          "details.import-help",
          m("summary", t("import.changedLines")),
          m(LineList, { lines: changes, limit: shownLines, label: t("import.changedLines") }),
        ),
    );
  },
};

/** The devices of the whole file that would be imported: {count, devices}, where `devices` is the number in words. */
function devicesOf({ accepted, lines, total, isExact }) {
  const count = isExact ? accepted : Math.round((accepted / Math.max(1, lines)) * total);
  return { count, devices: lineCount({ total: count, isExact }) };
}

/** Problems of the header: nothing can be imported with them. */
const HeaderProblems = {
  view: ({ attrs: { problems } }) =>
    m(
      Banner,
      { variant: "warn", role: "alert" },
      m(
        "ul.plain-list",
        problems.map(({ path, message }) =>
          m("li", { key: path + message }, m("b", path.replace(/^header\.?/, "")), " ", message)
        ),
      ),
    ),
};

/** `file`, its first `sample`, and `onleave()`. */
export function FileLook({ attrs: { file, sample: first } }) {
  let sample = first;
  let mapping = initialMapping(first.columns);
  let terms = initialTerms();
  let environment = "production";
  let encoding;
  let failure = null;
  let waiting = null;
  let asking = null;

  const options = () => ({
    encoding,
    columns: columnsParameter(first.columns, mapping, first.kind),
    environment: sample.needs_environment || first.needs_environment ? environment : undefined,
  });

  const isChecking = () => Boolean(waiting || asking);

  async function check() {
    clearTimeout(waiting);
    waiting = null;
    asking?.abort();
    const own = (asking = new AbortController());
    try {
      const answer = await loadSample(file, options(), own.signal);
      if (own !== asking) return;
      sample = answer;
      failure = null;
    } catch (error) {
      if (own !== asking || own.signal.aborted) return;
      failure = error;
    }
    asking = null;
    m.redraw();
  }
  function checkSoon() {
    clearTimeout(waiting);
    waiting = setTimeout(check, recheckDelayMs);
  }
  function change(index, entry) {
    mapping = mapping.with(index, entry);
    checkSoon();
  }
  /** Another encoding may give other names of columns. */
  async function readAs(chosen) {
    encoding = chosen;
    try {
      first = sample = await loadSample(file, { encoding });
      mapping = initialMapping(first.columns);
      failure = null;
      checkSoon();
    } catch (error) {
      failure = error;
    }
    m.redraw();
  }

  const vendor = () =>
    first.file.vendor &&
    m(
      Banner,
      { variant: "good" },
      m("b", t("import.vendor", { vendor: first.file.vendor })),
      t("phrase.gap"),
      t("import.vendorText"),
    );
  /** Only a person can see whether the values are right. */
  const otherEncodings = () =>
    sample.possible_encodings.length > 0 &&
    m(
      Banner,
      { variant: "warn", role: "alert" },
      t("import.notUTF8"),
      m(
        "div.row",
        sample.possible_encodings.map((name) =>
          m(
            Button,
            { key: name, class: "small", onclick: () => readAs(name) },
            t("import.readAs", { encoding: t(`import.encodingName.${name}`) }),
          )
        ),
      ),
    );
  const reason = () => {
    if (isChecking()) return undefined;
    if (failure || sample.problems.length) return t("import.mendFirst");
    if (!sample.lines) return t("import.noLines");
    return sample.isExact && !sample.accepted ? t("import.mendFirst") : undefined;
  };
  /** The last change may not have been checked yet. */
  async function start(onleave) {
    if (isChecking()) await check();
    if (reason()) return;
    startUpload(file, sample, { ...options(), ...termsQuery(terms) });
    onleave();
  }
  const columns = () => [
    m("div.row", m("h3", t("import.columns")), isChecking() && m("span.soft.meta.push", t("import.checking"))),
    m(MappingTable, {
      sample: { ...sample, columns: first.columns },
      entries: mapping,
      onchange: change,
    }),
  ];

  return {
    // The proposal may differ from what the file says: unknown columns are left out.
    oninit: () => {
      if (Object.values(options()).some(Boolean)) checkSoon();
    },
    onremove: () => {
      clearTimeout(waiting);
      asking?.abort();
    },
    view: ({ attrs: { onleave } }) =>
      m(
        "section.sheet.stack",
        m(
          "div.row",
          m("h2.anywhere", file.name),
          m("span.soft.push", t("import.size", { size: fileSize(file.size), count: lineCount(sample) })),
        ),
        m(
          "div.import-facts",
          m("span.soft", facts(sample)),
          m(SelectField, {
            label: t("import.encoding"),
            value: encoding ?? first.file.encoding,
            onchange: readAs,
            class: "slim",
            options: encodings.map((value) => ({ value, label: t(`import.encodingName.${value}`) })),
          }),
        ),
        vendor(),
        otherEncodings(),
        failure && m(Banner, { variant: "danger", role: "alert" }, failure.message),
        // Those of a check before are about columns that have changed.
        sample.problems.length > 0 && !isChecking() && m(HeaderProblems, { problems: sample.problems }),
        first.columns.length > 0 && columns(),
        (sample.needs_environment || first.needs_environment) && m(EnvironmentField, {
          value: environment,
          onchange: (value) => {
            environment = value;
            checkSoon();
          },
        }),
        !sample.problems.length && !failure && sample.lines > 0 && m(Check, { sample }),
        m("hr"),
        m(Terms, {
          terms,
          onchange: (value) => {
            terms = value;
          },
        }),
        m("p.soft", t("import.what")),
        m(
          "div.row",
          m(Button, {
            variant: "strong",
            icon: "upload",
            reason: reason(),
            onclick: () => start(onleave),
          }, t("import.start", devicesOf(sample))),
          m(Button, { onclick: onleave }, t("import.other")),
        ),
      ),
  };
}
