// Step 4: waits for the first device, and sends it the first push.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api } from "../api.js";
import { modelName } from "../devices/models.js";
import { pause } from "../events.js";
import { inApp, page, session } from "../session.js";
import { languageName } from "../setup/languages.js";
import { TestAnswers } from "../test-push/answers.js";
import { Banner } from "../ui/banner.js";
import { Bell, ringing } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { pretended } from "./snippet.js";
import { firstDevice, keep, kept } from "./state.js";

/** Milliseconds between two looks for a device, and how long the bell rings for the first one. */
const pollIntervalMs = 2_000;
const ringMs = 6_000;

export function PushStep() {
  const leaving = new AbortController();
  /** Ends the present wait between two looks. */
  let wake = new AbortController();
  const bell = {};
  let timer;
  let device = null;
  let result = null;
  let failure = null;
  let isNew = false;
  const text = { title: t("wizard.push.sampleTitle"), body: t("wizard.push.sampleBody") };

  async function wait(reload) {
    while (!leaving.signal.aborted && !device) {
      wake = new AbortController();
      await pause(pollIntervalMs, AbortSignal.any([leaving.signal, wake.signal]));
      if (leaving.signal.aborted || document.hidden) continue;
      // The shell shows an outage; the next look finds out whether it is over.
      device = await firstDevice(leaving.signal).catch(() => null);
      if (!device) continue;
      isNew = true;
      ring();
      m.redraw();
      await reload();
    }
  }
  function ring() {
    ringing.add(bell);
    clearTimeout(timer);
    timer = setTimeout(() => {
      ringing.delete(bell);
      m.redraw();
    }, ringMs);
  }

  /** The phone registers like any other, so the wait finds it. It needs the text of a publishable key. */
  async function addPhone() {
    failure = null;
    try {
      if (!kept(session.app).key) {
        keep(
          session.app,
          await api.post(inApp("/keys"), { name: t("wizard.push.phoneKey"), kind: "publishable" }).then(({ key }) => ({
            key,
          })),
        );
      }
      const { installation } = await api.post(inApp("/virtual-phones"), { key: kept(session.app).key }, {
        timeoutMs: 30_000,
      });
      if (device) {
        device = await api.get(inApp(`/devices/${encodeURIComponent(installation)}`));
        [isNew, result] = [true, null];
        ring();
      }
      wake.abort();
    } catch (error) {
      failure = error;
    }
    m.redraw();
  }

  async function send() {
    [result, failure] = [null, null];
    try {
      if (!device.is_test) device = await mark(device);
      const { data: [answer] } = await api.post(inApp("/test-pushes"), {
        installations: [device.installation],
        payload: { aps: { alert: { title: text.title, body: text.body }, sound: "default" } },
      }, { timeoutMs: 60_000 });
      result = { ...answer, at: Date.now() };
      if (answer.outcome === "accepted") {
        keep(session.app, { pushed: true });
        ring();
      }
    } catch (error) {
      failure = error;
    }
    m.redraw();
  }
  /** Only test devices get test pushes; the first device of an app is one. */
  function mark({ installation, nickname }) {
    const path = inApp(`/devices/${encodeURIComponent(installation)}`);
    return api.patch(path, { is_test: true, ...(nickname ? {} : { nickname: t("wizard.push.nickname") }) }).then(() =>
      api.get(path)
    );
  }
  return {
    oninit: ({ attrs: { state, reload } }) => {
      device = state.device;
      if (!device && session.may("devices:read")) wait(reload);
    },
    onremove: () => {
      leaving.abort();
      clearTimeout(timer);
      ringing.delete(bell);
    },
    view: ({ attrs: { state } }) => {
      if (!device) {
        return m(
          "div.waiting",
          m("div.bell-large", m(Bell)),
          m(
            "div.stack",
            m("div", { role: "status" }, m("h2", t("wizard.push.waiting"))),
            m("p.soft", t("wizard.push.waitingText")),
            m("ul.hints", ["one", "two", "three"].map((each) => m("li", { key: each }, t(`wizard.push.hint.${each}`)))),
            failure && m(Banner, { variant: "danger", role: "alert" }, failure.message),
            mayAddPhone() && m("p.soft", t("wizard.push.addPhoneText")),
            m(
              "div.row",
              mayAddPhone() &&
                m(Button, { variant: "strong", icon: "phone", onclick: addPhone }, t("wizard.push.addPhone")),
              m(Button, { href: page("/setup/code") }, t("wizard.push.code")),
              m(Button, { variant: "plain", href: page("/campaigns") }, t("wizard.push.skip")),
            ),
          ),
        );
      }
      const name = device.nickname ?? modelName(device.model) ?? t("wizard.push.phone");
      const isPretended = device.installation === pretended;
      const mayPush = session.may("test-pushes:send") && (device.is_test || session.may("devices:write"));
      return m(
        "div.stack",
        m(
          "div.found",
          { class: ringing.has(bell) ? "new" : "" },
          m("div.bell-large", m(Bell)),
          m(
            "div",
            { role: "status" },
            m("h2", t(isNew ? "wizard.push.found" : "wizard.push.there", { name })),
            m("p.soft", facts(device).join(" · ")),
          ),
        ),
        !state.credentials?.length &&
          m(
            Banner,
            { variant: "warn" },
            m("p", t("wizard.push.noKey")),
            m("div.row.banner-row", m(Button, { class: "small", href: page("/setup/key") }, t("wizard.push.addKey"))),
          ),
        m(
          "div.columns",
          m(TextField, {
            label: t("wizard.push.title"),
            value: text.title,
            maxlength: 100,
            oninput: (value) => {
              text.title = value;
            },
          }),
          m(TextField, {
            label: t("wizard.push.body"),
            value: text.body,
            maxlength: 300,
            oninput: (value) => {
              text.body = value;
            },
          }),
        ),
        m(TestAnswers, {
          results: result ? [result] : [],
          error: failure,
          sent: [device.installation],
          name: () => name,
          advice: isPretended ? ({ reason }) => reason === "BadDeviceToken" && t("wizard.push.pretended") : undefined,
        }),
        m(
          "div.row",
          result?.outcome === "accepted" || kept(session.app).pushed
            ? [
              m(Button, { variant: "strong", href: page("/campaigns") }, t("wizard.push.finish")),
              mayPush && m(Button, { icon: "bell", onclick: send }, t("wizard.push.again")),
            ]
            : [
              mayPush
                ? m(Button, {
                  variant: "strong",
                  icon: "bell",
                  onclick: send,
                  reason: state.credentials && !state.credentials.length ? t("wizard.push.noKey") : undefined,
                }, t("wizard.push.send", { name }))
                : m("p.soft", t("wizard.push.mayNot")),
              isPretended && result && mayAddPhone() &&
              m(Button, { icon: "phone", onclick: addPhone }, t("wizard.push.addPhone")),
              m(Button, { variant: "plain", href: page("/campaigns") }, t("wizard.push.skip")),
            ],
        ),
        mayPush && !device.is_test && m("p.soft.meta", t("wizard.push.marks")),
      );
    },
  };
}

/** Only the demo has virtual phones. */
function mayAddPhone() {
  return session.current.has_virtual_phones && session.may("devices:write") &&
    (kept(session.app).key || session.may("keys"));
}

function facts(device) {
  return [
    modelName(device.model),
    device.os_version && `iOS ${device.os_version}`,
    device.locale && languageName(device.locale.replaceAll("_", "-")),
    device.time_zone,
    t(`setup.environment.${device.environment}`),
    t("wizard.push.since", { time: moment(device.created_at) }),
  ].filter(Boolean);
}
