// One content of a campaign behind the interface of its draft.

import { contentOf } from "./variants.js";

/** The path of a variant's members. */
export const variantPath = (place) => `variants[${place}]`;

/** The draft with the variant at this place as its content; the draft itself without an A/B test. */
export function variantDraft(draft, place) {
  if (!draft.value.variants) return draft;
  const path = variantPath(place);
  const inside = (problem) =>
    problem.path?.startsWith(`${path}.`) ? { ...problem, path: problem.path.slice(path.length + 1) } : problem;
  const isOther = ({ path: at = "" }) => at.startsWith("variants[") && !at.startsWith(`${path}.`);
  const own = (problems) => problems.filter((each) => !isOther(each)).map(inside);
  const variant = () => draft.value.variants?.[place] ?? draft.value;
  return {
    get value() {
      return { ...draft.value, ...contentOf(variant()) };
    },
    isVariant: true,
    get isEditable() {
      return draft.isEditable;
    },
    get problems() {
      return own(draft.problems);
    },
    problemsAt: (at, deep) =>
      own(draft.problems).filter((each) => each.path === at || (deep && each.path?.startsWith(`${at}.`))),
    problemsOf: (step) => own(draft.problemsOf(step)),
    setProblems: (source, problems) =>
      draft.setProblems(`${source} ${place}`, problems.map((each) => ({ ...each, path: `${path}.${each.path}` }))),
    change(fields) {
      const content = Object.keys(fields).filter((name) => name in contentOf({}));
      const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !content.includes(name)));
      const next = { ...variant(), ...Object.fromEntries(content.map((name) => [name, fields[name]])) };
      draft.change({
        ...rest,
        ...(content.length && { variants: draft.value.variants.map((each, at) => (at === place ? next : each)) }),
      });
    },
    flush: () => draft.flush(),
  };
}
