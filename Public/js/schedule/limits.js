// What holds a campaign back: quiet hours, cap, late starts, rate, and the brake.

import m from "../m.js";
import { t } from "../i18n.js";
import { NumberInput, Pick } from "../audience/inputs.js";
import { page, session } from "../session.js";
import { Field, Switch } from "../ui/field.js";
import { Term } from "../ui/term.js";

export const Limits = {
  view: ({ attrs: { draft } }) => {
    const { value: campaign } = draft;
    const app = session.thisApp ?? {};
    const disabled = !draft.isEditable;
    const set = (changes) => disabled || draft.change(changes);
    const error = (path) => draft.problemsAt(path, true)[0]?.message;
    const { quiet_hours: quiet, frequency_cap: cap } = app;
    const toApp = session.may("apps:write") && m("a", { href: page("/app") }, t("schedule.changeInApp"));
    const late = campaign.missed_start ?? { grace_seconds: 1800, policy: "ask" };
    return m("div.limits",
      m("div", m("h3", m(Term, { name: "quietHours" }, t("schedule.quiet"))),
        m("p.soft", quiet ? t(`schedule.quietIs.${quiet.policy ?? "hold"}`, quiet) : t("schedule.noQuiet"), " ", toApp),
        quiet && m(Switch, { label: t("schedule.ignoreQuiet"), checked: campaign.ignores_quiet_hours, disabled, onchange: (isOn) => set({ ignores_quiet_hours: isOn }) })),
      m("div", m("h3", m(Term, { name: "frequencyCap" }, t("schedule.cap"))),
        m("p.soft", cap ? t("schedule.capIs", { count: cap.count, days: cap.days }) : t("schedule.noCap"), " ", toApp),
        cap && m(Switch, { label: t("schedule.ignoreCap"), checked: campaign.ignores_frequency_cap, disabled, onchange: (isOn) => set({ ignores_frequency_cap: isOn }) })),
      m(Field, {
        label: t("schedule.rate"), help: t("schedule.rateHelp"), error: error("pushes_per_second"),
        control: () => m(NumberInput, { label: t("schedule.rate"), value: campaign.pushes_per_second, whole: true, min: 1, unit: t("schedule.perSecond"), onchange: (rate) => set({ pushes_per_second: rate }) }),
      }),
      campaign.schedule && m(Field, {
        label: t("schedule.late"), help: t(`schedule.lateHelp.${late.policy}`), error: error("missed_start"),
        control: () => m("div.row", { style: { "--gap": "8px" } },
          m(NumberInput, { label: t("schedule.lateMinutes"), value: Math.round(late.grace_seconds / 60), whole: true, min: 0, max: 10_080, unit: t("schedule.minutes"), onchange: (minutes) => minutes !== null && set({ missed_start: { ...late, grace_seconds: minutes * 60 } }) }),
          m(Pick, { label: t("schedule.latePolicy"), value: late.policy, disabled, class: "how", options: ["ask", "send", "skip"].map((value) => ({ value, label: t(`schedule.latePolicies.${value}`) })), onchange: (policy) => set({ missed_start: { ...late, policy } }) })),
      }),
      m("div", m("h3", m(Term, { name: "brake" }, t("schedule.brake"))),
        m(Switch, { label: t("schedule.brakeOn"), checked: campaign.rejection_threshold_percent !== null, disabled, onchange: (isOn) => set({ rejection_threshold_percent: isOn ? 50 : null }) }),
        campaign.rejection_threshold_percent !== null && m("div.brake", m(NumberInput, {
          label: t("schedule.brake"), value: campaign.rejection_threshold_percent, whole: true, min: 1, max: 100, unit: t("schedule.percent"),
          onchange: (percent) => percent >= 1 && percent <= 100 && set({ rejection_threshold_percent: percent }),
        }))));
  },
};
