// Sends the campaign to test devices, and says what Apple answered for each.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { deviceName } from "../devices/words.js";
import { contentRequest } from "../draft/variants.js";
import { load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { TestAnswers } from "../test-push/answers.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Check } from "../ui/field.js";
import { Skeleton } from "../ui/skeleton.js";
import { isTested, rememberTest } from "./tested.js";

/** The most devices of one test push. */
const most = 20;

export function TestSend({ attrs: { draft } }) {
  const devices = load(async (signal) =>
    (await api.get(inApp("/devices"), { test: "true", registered: "true", limit: most }, { signal })).data
  );
  const chosen = new Set();
  let isFirst = true;
  let installations = [];
  let results = [];
  let error = null;

  async function send() {
    [installations, results, error] = [[...chosen], [], null];
    try {
      if (!await draft.flush()) throw new Error(t("review.notSaved"));
      const sent = draft.value;
      const { push_type: type, priority, collapse_id: collapse } = sent;
      const answer = await api.post(
        inApp("/test-pushes"),
        { ...contentRequest(sent), push_type: type, priority, collapse_id: collapse, installations },
        { idempotencyKey: newIdempotencyKey(), timeoutMs: 60_000 },
      );
      results = answer.data.map((each) => ({ ...each, at: Date.now() }));
      if (results.some(({ outcome }) => outcome === "accepted")) rememberTest(sent);
    } catch (failure) {
      error = failure;
    }
    m.redraw();
  }
  function name(installation) {
    const device = devices.data?.find((each) => each.installation === installation);
    return device ? deviceName(device) : installation;
  }

  return {
    onremove: () => devices.end(),
    view: () =>
      m(
        "section.sheet.stack",
        m("h2", t("review.test")),
        isTested(draft.value) && m(Banner, { variant: "good" }, t("review.tested")),
        !session.may("test-pushes:send")
          ? m("p.soft", t("review.mayNotTest"))
          : Loaded({ resource: devices, skeleton: m(Skeleton, { rows: 2 }) }, (all) => {
            if (!all.length) {
              return m(
                "p",
                t("review.noTestDevice"),
                " ",
                session.may("devices:read") && m("a", { href: page("/devices") }, t("review.toDevices")),
              );
            }
            if (isFirst) chosen.add(all[0].installation);
            isFirst = false;
            return [
              m(
                "div.row",
                all.map((each) =>
                  m(Check, {
                    key: each.installation,
                    label: deviceName(each),
                    checked: chosen.has(each.installation),
                    onchange: (isOn) => (isOn ? chosen.add(each.installation) : chosen.delete(each.installation)),
                  })
                ),
              ),
              m(
                "div.row",
                m(
                  Button,
                  { icon: "phone", onclick: send, reason: chosen.size ? undefined : t("review.chooseDevice") },
                  chosen.size === 1
                    ? t("review.testOn", { name: name([...chosen][0]) })
                    : t("review.testOnMany", { count: chosen.size }),
                ),
              ),
            ];
          }),
        m(TestAnswers, { results, error, sent: installations, name }),
      ),
  };
}
