// The second step of a campaign: its audience.

import m from "../m.js";
import { t } from "../i18n.js";
import { AudienceBuilder } from "../audience/builder.js";
import { Count, newCounter } from "../audience/count.js";
import { SaveAsSegment } from "../audience/save-as.js";
import { unfinished } from "../audience/tree.js";
import { known } from "../audience/values.js";
import { page, session } from "../session.js";
import { CountSum } from "../schedule/count-sum.js";
import { forecastOf } from "../schedule/forecast.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { SelectField } from "../ui/field.js";
import { toast } from "../ui/toast.js";
import { Control } from "./control.js";

/** Unfinished conditions of a draft survive while another step is shown. */
const memories = new WeakMap();

export default function AudienceStep({ attrs: { draft } }) {
  const memory = memories.get(draft) ?? {};
  memories.set(draft, memory);
  const counter = newCounter();
  const forecast = forecastOf(draft);
  let isSaving = false;

  /** Sending must not go on with an audience that is not what the page shows. */
  function tellUnfinished() {
    const isOpen = memory.tree && unfinished(memory.tree).length > 0;
    draft.setProblems(
      "audience",
      isOpen
        ? [{ path: "audience", code: "unfinished", severity: "error", message: t("audience.unfinishedProblem") }]
        : [],
    );
  }
  const topic = () => {
    const { topics } = known();
    // An archived one stays where it was chosen.
    const choices = topics.filter(({ key, archived_at: archived }) => !archived || key === draft.value.topic);
    if (!choices.length && !draft.value.topic) return null;
    const options = choices.map(({ key, name }) => ({ value: key, label: name }));
    if (draft.value.topic && !options.some(({ value }) => value === draft.value.topic)) {
      options.push({ value: draft.value.topic, label: draft.value.topic });
    }
    return m(SelectField, {
      label: t("audience.topic"),
      help: t("audience.topicHelp"),
      value: draft.value.topic ?? "",
      disabled: !draft.isEditable,
      error: draft.problemsAt("topic")[0]?.message,
      options: [{ value: "", label: t("audience.noTopic") }, ...options],
      onchange: (value) => draft.change({ topic: value || null }),
    });
  };

  return {
    onremove: () => {
      tellUnfinished();
      counter.end();
    },
    view: () => {
      forecast.follow();
      const { audience } = draft.value;
      const problems = draft.problems.filter(({ path = "", code }) =>
        (path === "audience" || path.startsWith("audience.")) && code !== "unfinished"
      );
      const isOpen = memory.tree && unfinished(memory.tree).length > 0;
      return m(
        "div.with-count",
        m(
          "section.sheet.stack",
          m("h2", t("audience.title")),
          m(AudienceBuilder, {
            value: audience,
            campaign: draft.value.id,
            memory,
            readonly: !draft.isEditable,
            problems: problems.length ? problems : counter.problems,
            onchange: (next) => draft.change({ audience: next }),
          }),
          topic(),
          m(Control, { draft }),
          session.may("campaigns:write") && m(
            "div.row",
            m(Button, {
              icon: "people",
              reason: isOpen
                ? t("audience.unfinishedProblem")
                : audience?.include || audience?.exclude
                ? undefined
                : t("segments.needsCondition"),
              onclick: () => {
                isSaving = true;
              },
            }, t("segments.saveAs")),
          ),
        ),
        m(
          "aside.sheet.stack",
          m(Count, { counter, audience, figures: m(CountSum, { forecast }) }),
          draft.isEditable && isOpen && m(Banner, { variant: "warn" }, t("audience.countsOld")),
        ),
        isSaving && m(SaveAsSegment, {
          audience,
          onclose: () => {
            isSaving = false;
          },
          onsaved: ({ id, name }) => {
            isSaving = false;
            toast([t("segments.saved", { name }), " ", m("a", { href: page(`/segments/${id}`) }, t("segments.open"))]);
          },
        }),
      );
    },
  };
}
