// A person's attributes, edited together and saved with If-Match, so that nobody's change is overwritten unseen.

import m from "../m.js";
import { t } from "../i18n.js";
import { list as inWords, statements } from "../phrases.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { SelectField, TextField } from "../ui/field.js";
import { toast } from "../ui/toast.js";
import { attributesOf, changesBetween, merge, problemsOf, rowsOf } from "./attributes.js";
import { shownValue } from "./attribute-list.js";

const types = ["text", "number", "boolean", "json"];

/**
 * `attributes` with their `version`; `save(changes, version)` sends them and resolves to {attributes, version};
 * `reload()` resolves to the newest of both; `onclose()` ends the editing.
 */
export function AttributeEditor({ attrs: { attributes, version } }) {
  let base = attributes;
  let expected = version;
  let rows = rowsOf(base);
  let problems = new Map();
  let failure = null;
  let refused = {};
  /** {taken: names, conflicts: names} after somebody else's change. */
  let other = null;
  let added = 0;

  function check() {
    problems = problemsOf(rows);
  }

  async function save({ save: send, reload, onclose }) {
    check();
    if (problems.size) return;
    const mine = attributesOf(rows);
    const changes = changesBetween(base, mine);
    if (!Object.keys(changes).length) return onclose();
    failure = null;
    refused = {};
    try {
      await send(changes, expected);
      toast(t("person.saved"));
      onclose();
    } catch (error) {
      if (error.status === 412) return catchUp(mine, await reload());
      const named = error.problems?.filter(({ path }) => path.startsWith("attributes.")) ?? [];
      for (const { path, message } of named) refused[path.slice("attributes.".length)] = message;
      const rest = error.problems?.filter((each) => !named.includes(each)) ?? [];
      failure = rest.length
        ? statements(rest.map(({ path, message }) => `${path} ${message}`))
        : named.length
        ? null
        : error.message;
    }
  }

  function catchUp(mine, newest) {
    const merged = merge(base, mine, newest.attributes);
    other = { taken: merged.taken, conflicts: merged.conflicts };
    base = newest.attributes;
    expected = newest.version;
    rows = rowsOf(merged.attributes);
    m.redraw();
  }

  function takeTheirs(name) {
    rows = rows.filter((row) => row.name !== name);
    if (name in base) rows.push(...rowsOf({ [name]: base[name] }));
    other.conflicts = other.conflicts.filter((each) => each !== name);
    check();
  }

  const valueField = (row, error) => {
    const set = (text) => {
      row.text = text;
      if (problems.size) check();
    };
    const own = { label: t("person.value"), hidden: true, error };
    if (row.type === "boolean") {
      return m(SelectField, {
        ...own,
        value: row.text === "true" ? "true" : "false",
        options: [{ value: "true", label: t("person.yes") }, { value: "false", label: t("person.no") }],
        onchange: set,
      });
    }
    return m(TextField, {
      ...own,
      value: row.text,
      oninput: set,
      ...(row.type === "number" && { inputmode: "decimal" }),
      ...(row.type === "json" && { rows: 2, spellcheck: false }),
    });
  };

  return {
    view: ({ attrs }) =>
      m(
        "div.stack",
        other &&
          m(
            Banner,
            { variant: "warn", role: "alert" },
            m("b", t("person.changedMeanwhile")),
            t("phrase.gap"),
            other.taken.length > 0 && t("person.taken", { names: inWords(other.taken) }),
            " ",
            other.conflicts.map((name) =>
              m(
                "p",
                t("person.both", { name, value: name in base ? shownValue(base[name]) : t("person.removed") }),
                " ",
                m(Button, { class: "small", onclick: () => takeTheirs(name) }, t("person.theirs")),
              )
            ),
          ),
        failure && m(Banner, { variant: "danger", role: "alert" }, failure),
        rows.length === 0 && m("p.soft", t("person.noAttributes")),
        m(
          "ul.attribute-rows",
          rows.map((row, index) => {
            row.key = row.key ?? ++added;
            const problem = problems.get(index);
            return m(
              "li",
              { key: row.key },
              m(TextField, {
                label: t("person.name"),
                hidden: true,
                value: row.name,
                placeholder: t("field.example", { text: "first_name" }),
                maxlength: 100,
                spellcheck: false,
                autocapitalize: "off",
                error: problem?.name && t(`person.problem.${problem.name}`),
                oninput: (value) => {
                  row.name = value;
                  if (problems.size) check();
                },
              }),
              m(SelectField, {
                label: t("person.type"),
                hidden: true,
                value: row.type,
                options: types.map((value) => ({ value, label: t(`person.types.${value}`) })),
                onchange: (value) => {
                  row.type = value;
                  if (value === "boolean") row.text = row.text === "true" ? "true" : "false";
                  if (problems.size) check();
                },
              }),
              valueField(row, problem?.value ? t(`person.problem.${problem.value}`) : refused[row.name.trim()]),
              m(Button, {
                variant: "plain",
                icon: "trash",
                "aria-label": t("person.removeOne", { name: row.name || t("person.attribute") }),
                onclick: () => {
                  rows.splice(index, 1);
                  check();
                },
              }, m("span.visually-hidden", t("action.remove"))),
            );
          }),
        ),
        m(
          "div.row",
          m(Button, {
            class: "small",
            icon: "plus-lg",
            onclick: () => rows.push({ name: "", type: "text", text: "" }),
          }, t("person.addAttribute")),
        ),
        m(
          "div.row",
          m(Button, { variant: "strong", onclick: () => save(attrs) }, t("person.save")),
          m(Button, { onclick: attrs.onclose }, t("action.cancel")),
        ),
      ),
  };
}
