// Sends what is on the form to one's own phones, and says what Apple answered.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { deviceName } from "../devices/words.js";
import { inApp, page, session } from "../session.js";
import { TestAnswers } from "../test-push/answers.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Check } from "../ui/field.js";
import { Skeleton } from "../ui/skeleton.js";
import { setMembers } from "../payload/fields.js";

/** The most devices of one test push. */
const most = 20;

export function TestPush() {
  let isOpen = false, devices = null, chosen = new Set(), sent = [], results = [], error = null;

  async function open() {
    [isOpen, devices, results, error] = [true, null, [], null];
    try {
      devices = (await api.get(inApp("/devices"), { test: true, registered: true, limit: most })).data;
      chosen = new Set(devices.slice(0, 1).map(({ installation }) => installation));
    } catch (failure) {
      error = failure;
    }
    m.redraw();
  }
  async function send({ content, hasVariants }) {
    [sent, results, error] = [[...chosen], [], null];
    const body = { installations: sent, ...(hasVariants ? { content } : setMembers(content)) };
    try {
      const { data } = await api.post(inApp("/test-pushes"), body, {
        idempotencyKey: newIdempotencyKey(),
        timeoutMs: 60_000,
      });
      results = data.map((each) => ({ ...each, at: Date.now() }));
    } catch (failure) {
      error = failure;
    }
  }
  function name(installation) {
    const device = devices?.find((each) => each.installation === installation);
    return device ? deviceName(device) : installation;
  }
  return {
    view: ({ attrs: { source } }) => {
      if (!session.may("test-pushes:send") || !session.may("devices:read")) return null;
      const close = () => {
        isOpen = false;
      };
      return m(
        "div",
        m(Button, { icon: "phone", onclick: open }, t("content.test")),
        isOpen && m(
          Dialog,
          {
            title: t("content.test"),
            onclose: close,
            actions: [
              devices?.length > 0 && m(Button, {
                key: "send",
                variant: "strong",
                onclick: () => send(source),
                reason: chosen.size ? undefined : t("content.choosePhone"),
              }, t("content.testSend", { count: chosen.size })),
              m(Button, { key: "close", onclick: close }, t("action.close")),
            ].filter(Boolean),
          },
          !devices && !error && m(Skeleton, { rows: 2 }),
          devices?.length === 0 &&
            m("p", t("content.noTestDevices"), " ", m("a", { href: page("/devices") }, t("nav.devices"))),
          m(
            "div.stack",
            (devices ?? []).map(({ installation }) =>
              m(Check, {
                key: installation,
                label: name(installation),
                checked: chosen.has(installation),
                onchange: (isOn) => (isOn ? chosen.add(installation) : chosen.delete(installation)),
              })
            ),
          ),
          m(TestAnswers, { results, error, sent, name }),
        ),
      );
    },
  };
}
