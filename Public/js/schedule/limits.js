// The fields that hold a campaign back: quiet hours, cap, late starts, rate, and the brake.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { NumberInput, Pick } from "../audience/inputs.js";
import { problemWords } from "../problems/problem-words.js";
import { page, session } from "../session.js";
import { Field, Switch } from "../ui/field.js";
import { Term } from "../ui/term.js";
import { OwnCap, OwnLimit, OwnQuietHours } from "./own-limits.js";

export const Limits = {
  view: ({ attrs: { draft } }) => {
    const { value: campaign } = draft;
    const { quiet_hours: quiet, frequency_cap: cap, global_control: control } = session.thisApp ?? {};
    const readonly = !draft.isEditable;
    const set = (changes) => readonly || draft.change(changes);
    const error = (path) => {
      const [problem] = draft.problemsAt(path, true);
      return problem && problemWords(problem);
    };
    const toApp = session.may("apps:write") && m("a", { href: page("/app") }, t("schedule.changeInApp"));
    const exception = (label, member) =>
      m(Switch, { label, checked: campaign[member], disabled: readonly, onchange: (isOn) => set({ [member]: isOn }) });
    const late = campaign.missed_start ?? { grace_seconds: 1800, policy: "ask" };
    const brake = campaign.rejection_threshold_percent;
    return m(
      "div.limits",
      m(
        "div",
        m("h3", m(Term, { name: "quietHours" }, t("schedule.quiet"))),
        m("p.soft", quiet ? t(`schedule.quietIs.${quiet.policy ?? "hold"}`, quiet) : t("schedule.noQuiet"), " ", toApp),
        m(
          OwnLimit,
          { draft, member: "quiet_hours", label: t("schedule.quiet"), ofApp: quiet ?? null },
          campaign.quiet_hours && m(OwnQuietHours, { draft }),
        ),
      ),
      m(
        "div",
        m("h3", m(Term, { name: "frequencyCap" }, t("schedule.cap"))),
        m("p.soft", cap ? t("schedule.capIs", { count: cap.count, days: cap.days }) : t("schedule.noCap"), " ", toApp),
        m(
          OwnLimit,
          { draft, member: "frequency_cap", label: t("schedule.cap"), ofApp: cap ?? null },
          campaign.frequency_cap && m(OwnCap, { draft }),
        ),
      ),
      control && m(
        "div",
        m("h3", t("schedule.control")),
        m(
          "p.soft",
          t("schedule.controlIs", { share: share(control.share, 1_000, control.share % 10 ? 1 : 0) }),
          " ",
          toApp,
        ),
        exception(t("schedule.ignoreControl"), "ignores_global_control"),
      ),
      m(Field, {
        label: t("schedule.rate"),
        help: t("schedule.rateHelp"),
        error: error("pushes_per_second"),
        control: (aria) =>
          m(NumberInput, {
            aria,
            readonly,
            value: campaign.pushes_per_second,
            whole: true,
            min: 1,
            unit: t("schedule.perSecond"),
            onchange: (rate) => set({ pushes_per_second: rate }),
          }),
      }),
      campaign.schedule && m(Field, {
        label: t("schedule.late"),
        help: t(`schedule.lateHelp.${late.policy}`),
        error: error("missed_start"),
        control: (aria) =>
          m(
            "div.row",
            { style: { "--gap": "8px" } },
            m(NumberInput, {
              aria,
              readonly,
              value: Math.round(late.grace_seconds / 60),
              whole: true,
              min: 0,
              max: 10_080,
              unit: t("schedule.minutes"),
              onchange: (minutes) =>
                minutes !== null && set({ missed_start: { ...late, grace_seconds: minutes * 60 } }),
            }),
            m(Pick, {
              label: t("schedule.latePolicy"),
              value: late.policy,
              disabled: readonly,
              class: "how",
              options: ["ask", "send", "skip"].map((value) => ({ value, label: t(`schedule.latePolicies.${value}`) })),
              onchange: (policy) => set({ missed_start: { ...late, policy } }),
            }),
          ),
      }),
      m(
        "div",
        m("h3", m(Term, { name: "brake" }, t("schedule.brake"))),
        m(Switch, {
          label: t("schedule.brakeOn"),
          checked: brake !== null,
          disabled: readonly,
          onchange: (isOn) => set({ rejection_threshold_percent: isOn ? 50 : null }),
        }),
        brake !== null && m(Field, {
          label: t("schedule.brakeAt"),
          error: error("rejection_threshold_percent"),
          control: (aria) =>
            m(NumberInput, {
              aria,
              readonly,
              value: brake,
              whole: true,
              min: 1,
              max: 100,
              unit: t("schedule.percent"),
              onchange: (percent) => percent >= 1 && percent <= 100 && set({ rejection_threshold_percent: percent }),
            }),
        }),
      ),
    );
  },
};
