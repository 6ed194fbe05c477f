// From a new app to its first push, in four steps. The API tells which steps are done, so it goes on anywhere.

import m from "../m.js";
import { t } from "../i18n.js";
import { load, Loaded } from "../loading.js";
import { page, session } from "../session.js";
import { navigate } from "../router.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { doneSteps, nextStep, readState, steps } from "../wizard/state.js";
import { AppStep } from "../wizard/step-app.js";
import { CodeStep } from "../wizard/step-code.js";
import { KeyStep } from "../wizard/step-key.js";
import { PushStep } from "../wizard/step-push.js";

const parts = { app: AppStep, key: KeyStep, code: CodeStep, push: PushStep };

export default function WizardPage({ attrs: { params } }) {
  const app = params.app ?? null;
  const state = app ? load(async (signal) => readState(signal)) : null;
  let shown = null;

  /** The heading takes the focus when the step changes, as after a page load. */
  function arrive(step) {
    if (shown && shown !== step) {
      requestAnimationFrame(() => {
        const heading = document.querySelector("main h1");
        heading?.focus({ preventScroll: true });
        window.scrollTo(0, 0);
        document.title = [heading?.textContent, session.thisApp?.name, "Belfry"].filter(Boolean).join(" · ");
      });
    }
    shown = step;
  }
  return {
    onremove: () => state?.end(),
    onupdate: ({ attrs }) => arrive(attrs.step),
    view: ({ attrs: { step } }) => {
      if (!app && !session.may("apps:write", null)) {
        return [
          m("h1", t("wizard.title")),
          m("p.soft", t("wizard.mayNot")),
          m("div.row", m(Button, { href: "/" }, t("action.home"))),
        ];
      }
      const current = app ? (steps.includes(step) ? step : state.data ? nextStep(state.data, app) : "key") : "app";
      if (app && current !== step && state.data) {
        queueMicrotask(() => navigate(page(`/setup/${current}`), { replace: true }));
      }
      const head = [
        m(
          "div.page-head",
          m("h1", { tabindex: -1 }, t(`wizard.${current}.head`)),
          m(Badge, t("wizard.of", { step: steps.indexOf(current) + 1, all: steps.length })),
        ),
        m("p.lead.soft.wizard-text", t(`wizard.${current}.text`)),
      ];
      const content = (data) => {
        const done = doneSteps(data, app);
        return [
          m(
            "nav.steps.wizard-steps",
            { "aria-label": t("wizard.steps") },
            steps.map((each, place) => {
              const inside = [
                m(
                  "span.step-mark",
                  { class: done.has(each) ? "done" : "" },
                  done.has(each) ? m(Icon, { name: "check-lg" }) : String(place + 1),
                ),
                m("span.step-name", t(`wizard.${each}.name`)),
                done.has(each) && m("span.visually-hidden", t("wizard.done")),
              ];
              return app
                ? m("a", {
                  key: each,
                  href: page(`/setup/${each}`),
                  "aria-current": each === current ? "step" : undefined,
                }, inside)
                : m(each === current ? "a" : "span.later", {
                  key: each,
                  "aria-current": each === current ? "step" : undefined,
                  href: each === current ? "/setup" : undefined,
                }, inside);
            }),
          ),
          m("section.sheet.wizard-sheet", m(parts[current], { state: data ?? {}, reload: () => state?.reload() })),
        ];
      };
      return m("div.wizard", head, app ? Loaded({ resource: state }, content) : content(null));
    },
  };
}
/** Moving between the steps of an app is no arrival at another page. */
WizardPage.place = ({ app }) => `/setup/${app ?? ""}`;
