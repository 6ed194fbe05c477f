// Step 2: Apple's key. It is stored only if Apple accepts it.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { navigate } from "../router.js";
import { page, session } from "../session.js";
import { KeyForm } from "../app/key-form.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { toastError } from "../ui/toast.js";
import { addSimulatorKey, canMakeKey } from "./simulator-key.js";
import { keep } from "./state.js";

export function KeyStep() {
  let check = null;
  let isAdding = false;
  const openNextStep = () => navigate(page("/setup/code"));
  const added = (reload) => (result) => {
    check = result;
    isAdding = false;
    return reload();
  };
  async function useSimulator(reload) {
    try {
      const result = await addSimulatorKey();
      if (!result.credential) throw new Error(result.check.findings[0]?.meaning);
      await added(reload)(result.check);
    } catch (error) {
      toastError(error);
    }
    m.redraw();
  }
  return {
    view: ({ attrs: { state, reload } }) => {
      const [credential] = state.credentials ?? [];
      const isSimulated = session.current.destination !== "apple";
      const makesKey = session.current.has_virtual_phones && canMakeKey();
      if (credential && !isAdding) {
        return m(
          "div.stack",
          m(
            Banner,
            { variant: check?.state === "unchecked" ? "warn" : "good", role: "status" },
            m("p", t("wizard.key.stored", { key: credential.key_id, team: credential.team_id })),
            m(
              "p.soft",
              check
                ? t(`setup.check.${check.state}`, { bundle: session.thisApp.bundle_id })
                : t("wizard.key.since", { time: moment(credential.created_at) }),
            ),
          ),
          m(
            "div.row",
            m(Button, { variant: "strong", onclick: openNextStep }, t("wizard.key.next")),
            session.may("apps:write") && m(Button, {
              variant: "plain",
              onclick: () => {
                isAdding = true;
              },
            }, t("wizard.key.another")),
          ),
        );
      }
      return m(
        "div.stack",
        m("ol.how", m("li", t("wizard.key.how1")), m("li", t("wizard.key.how2")), m("li", t("wizard.key.how3"))),
        m(KeyForm, {
          submit: t("wizard.key.check"),
          onadded: added(reload),
          extra: makesKey
            ? m(Button, { variant: "plain", onclick: () => useSimulator(reload) }, t("wizard.key.makeKey"))
            : m(Button, {
              variant: "plain",
              onclick: () => {
                keep(session.app, { skipsKey: true });
                openNextStep();
              },
            }, t(isSimulated ? "wizard.key.simulator" : "wizard.key.later")),
        }),
        m(
          "p.soft.meta",
          t(makesKey ? "wizard.key.makeKeyHelp" : isSimulated ? "wizard.key.simulatorHelp" : "wizard.key.laterHelp"),
        ),
      );
    },
  };
}
