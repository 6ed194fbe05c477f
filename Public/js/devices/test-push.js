// Sends a test push to one device, and says what Apple answered.

import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp, page, session } from "../session.js";
import { TestAnswers } from "../test-push/answers.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Choices, SelectField, TextField } from "../ui/field.js";
import { deviceName } from "./words.js";

/** Milliseconds; the answer waits for Apple's. */
const timeoutMs = 60_000;

/** Paths of the API's problems, and the fields that they concern. */
const places = {
  "content.payload.aps.alert.title": "title",
  "content.payload.aps.alert.body": "body",
  template: "template",
};

export function TestPush() {
  let templates = null;
  const draft = { kind: "text", template: "", title: "", body: "" };
  let problems = {};
  let others = [];
  let results = [];
  let failure = null;

  async function send(device) {
    problems = {};
    others = [];
    results = [];
    failure = null;
    const alert = Object.fromEntries(
      ["title", "body"].map((name) => [name, draft[name].trim()]).filter(([, text]) => text),
    );
    if (draft.kind === "text" && !alert.body && !alert.title) {
      problems.body = t("devices.typeText");
      return;
    }
    const content = draft.kind === "template"
      ? { template: draft.template }
      : { content: { payload: { aps: { alert, sound: "default" } } } };
    try {
      const { data, problems: remarks } = await api.post(inApp("/test-pushes"), {
        ...content,
        installations: [device.installation],
      }, { timeoutMs, idempotencyKey: newIdempotencyKey() });
      results = data.map((each) => ({ ...each, at: Date.now() }));
      others = remarks.map(({ path, message }) =>
        labelled(t(places[path] ? `devices.remark.${places[path]}` : "devices.remark.push"), message)
      );
    } catch (error) {
      const own = (error.problems ?? []).filter(({ path }) => places[path]);
      for (const { path, message } of own) problems[places[path]] = message;
      if (!own.length || own.length < error.problems.length) failure = error;
    }
  }

  function needs(device, mark) {
    if (!device.registered) return m("p.soft", t("devices.testRetired"));
    if (device.kind !== "alert") return m("p.soft", t("devices.testKind"));
    if (device.is_test) return null;
    return [
      m("p", t("devices.testFirst")),
      m("p.soft", t("devices.testFirstText")),
      mark && m("div.row", m(Button, { variant: "strong", icon: "phone", onclick: mark }, t("devices.mark"))),
    ];
  }

  return {
    oninit: () => {
      if (!session.may("campaigns:read")) return;
      api.get(inApp("/templates"), { limit: 200, sort: "updated" }).then(({ data }) => {
        templates = data;
        if (data.length) Object.assign(draft, { kind: "template", template: data[0].id });
        m.redraw();
      }, () => {});
    },
    view: ({ attrs: { device, mark } }) => {
      const lack = needs(device, mark);
      const field = (name, more) =>
        m(TextField, {
          label: t(`devices.${name}`),
          value: draft[name],
          error: problems[name],
          ...more,
          oninput: (value) => {
            draft[name] = value;
            problems = {};
          },
        });
      return m(
        "section.sheet.stack",
        m("h2", t("devices.sendTest")),
        lack ?? [
          templates?.length > 0 && m(Choices, {
            label: t("devices.what"),
            hidden: true,
            inline: true,
            value: draft.kind,
            onchange: (value) => {
              draft.kind = value;
            },
            options: [{ value: "template", label: t("devices.template") }, {
              value: "text",
              label: t("devices.ownText"),
            }],
          }),
          draft.kind === "template"
            ? m(SelectField, {
              label: t("devices.template"),
              value: draft.template,
              error: problems.template,
              onchange: (value) => {
                draft.template = value;
              },
              options: (templates ?? []).map(({ id, name }) => ({ value: id, label: name })),
            })
            : m("div.stack", field("title", { label: t("devices.pushTitle") }), field("body", { rows: 2 })),
          m(
            "div.row",
            m(Button, {
              variant: "strong",
              icon: "send",
              onclick: () => send(device),
            }, t("devices.sendTo", { name: deviceName(device) })),
            draft.kind === "template" &&
              m("a", { href: page(`/templates/${draft.template}`) }, t("devices.openTemplate")),
          ),
          device.authorization_status === "denied" && m(Banner, { variant: "warn" }, t("devices.testDenied")),
        ],
        m(TestAnswers, { results, error: failure, sent: [device.installation], name: () => deviceName(device) }),
        m("div.stack", { role: "status" }, others.map((text) => m(Banner, { variant: "warn" }, text))),
      );
    },
  };
}
