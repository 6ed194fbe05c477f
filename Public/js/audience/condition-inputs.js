// The inputs of a condition after its type: how it compares, and with what.

import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { Icon } from "../ui/icon.js";
import { customEventInputs } from "./custom-event-inputs.js";
import { eventInputs } from "./event-inputs.js";
import { fieldInputs } from "./field-inputs.js";
import { Completed, Many, Pick } from "./inputs.js";
import { completion, withChosen } from "./options.js";
import { outcomeInputs } from "./outcome-inputs.js";
import { SegmentPicker } from "./segment-picker.js";

/** The two ways of a condition that can be turned round. */
function ways(name) {
  return [
    { value: "", label: t(`audience.way.${name}`) },
    { value: "not", label: t(`audience.way.${name}Not`) },
  ];
}

/** The controls in order; `set` changes the condition, `setLeaf` members of its leaf. */
export function conditionInputs({ leaf, negated, known, except, campaign, set, setLeaf, invalid }) {
  const way = (name) =>
    m(Pick, {
      label: t("audience.how"),
      value: negated ? "not" : "",
      options: ways(name),
      class: "how",
      onchange: (value) => set({ negated: value === "not" }),
    });
  if ("tag" in leaf) {
    return [
      way("has"),
      m(Completed, {
        label: t("audience.type.tag"),
        value: leaf.tag,
        options: known.tags.map((each) => completion("tag", each)),
        invalid,
        onchange: (tag) => setLeaf({ tag }),
      }),
    ];
  }
  if ("segment" in leaf) {
    const segments = known.segments.filter(({ id }) => id !== except);
    const chosen = known.segments.find(({ id }) => id === leaf.segment);
    const none = segments.length || !known.isLoaded ? "audience.chooseSegment" : "audience.noSegments";
    const name = chosen?.name ?? t(leaf.segment && known.isLoaded ? "audience.deletedSegment" : none);
    return [
      way("in"),
      m(SegmentPicker, {
        segments,
        chosen: leaf.segment,
        button: {
          class: invalid ? "choice-button invalid" : "choice-button",
          "aria-label": labelled(t("audience.type.segment"), name),
        },
        text: [m("span.cut", name), m(Icon, { name: "chevron-expand" })],
        onpick: (segment) => setLeaf({ segment }),
      }),
    ];
  }
  if ("opted_out" in leaf) {
    const options = withChosen(
      [
        { value: "*", label: t("person.allCampaigns") },
        ...known.topics.map(({ key, name }) => ({ value: key, label: name })),
      ],
      leaf.opted_out,
      leaf.opted_out,
    );
    return [
      way("out"),
      m(Pick, {
        label: t("audience.type.opted_out"),
        value: leaf.opted_out,
        invalid,
        onchange: (value) => setLeaf({ opted_out: value }),
        options: [{
          value: "",
          label: t("audience.chooseTopic"),
        }, ...options],
      }),
    ];
  }
  if ("user_ids" in leaf) {
    return [
      way("among"),
      m(Many, {
        label: t("audience.type.user_ids"),
        value: leaf.user_ids,
        options: (known.fields.user_id ?? []).map(({ value }) => value),
        invalid,
        placeholder: t("audience.pasteIds"),
        onchange: (ids) => setLeaf({ user_ids: ids }),
      }),
    ];
  }
  if ("event" in leaf) return [way("did"), eventInputs({ leaf, known, own: campaign, setLeaf, invalid })];
  if ("outcome" in leaf) return outcomeInputs({ leaf, known, own: campaign, setLeaf, invalid });
  if ("event_name" in leaf) return [way("did"), customEventInputs({ leaf, setLeaf, invalid })];
  return fieldInputs({ leaf, negated, known, set, setLeaf, invalid });
}
