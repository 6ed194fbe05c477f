// The variants of an A/B test. Does not use the DOM or the network.

/** Thousandths. */
export const whole = 1000;
export const most = 10;

const contentMembers = ["payload", "content", "template", "template_version"];

/** The members of a campaign or a variant that are its content. */
export function contentOf(value) {
  return Object.fromEntries(contentMembers.map((name) => [name, value[name] ?? null]));
}

/** A to J, without those that are taken. */
export function freeName(variants) {
  const taken = new Set(variants.map(({ name }) => name));
  return [..."ABCDEFGHIJ"].find((name) => !taken.has(name)) ?? `${variants.length + 1}`;
}

/** Changes of a campaign to a test of its content and a copy of it. */
export function begun(campaign) {
  const variants = ["A", "B"].map((name) => ({ name, weight: whole / 2, ...structuredClone(contentOf(campaign)) }));
  return { variants, ...contentOf({}) };
}

/** A copy of the variant at `place` behind the others, with an equal part; they share the rest as before. */
export function withCopy(variants, place) {
  const copy = { name: freeName(variants), weight: 0, ...structuredClone(contentOf(variants[place])) };
  const part = Math.round(whole / (variants.length + 1) / 10) * 10;
  return withWeight([...variants, copy], variants.length, part);
}

/** Without the one at `place`; its weight goes to the others. */
export function without(variants, place) {
  const rest = variants.filter((_, at) => at !== place);
  return spread(rest, rest.map(({ weight }) => weight), whole);
}

/** With another weight at `place`; the others share what is left, as they did before. */
export function withWeight(variants, place, weight) {
  const others = variants.filter((_, at) => at !== place);
  const spreadOthers = spread(others, others.map((each) => each.weight), whole - weight);
  return variants.map((each, at) => at === place ? { ...each, weight } : spreadOthers.shift());
}

/** Weights in the proportion of `parts`, in whole per cent as far as possible, which add up to `sum`. */
function spread(variants, parts, sum) {
  const all = parts.reduce((total, part) => total + part, 0);
  const step = sum % 10 === 0 ? 10 : 1;
  let left = sum;
  return variants.map((each, at) => {
    const share = all ? parts[at] / all : 1 / variants.length;
    const weight = at === variants.length - 1 ? left : Math.min(left, Math.round(sum * share / step) * step);
    left -= weight;
    return { ...each, weight };
  });
}

/** The one content that a campaign or a variant has, as a request names it. A text that was typed is before others. */
export function contentRequest({ payload, content, template, template_version: version }) {
  if (content) return { content };
  return template ? { template, ...(version && { template_version: version }) } : { payload };
}

/** As a request has them: each with one content. */
export function asRequest(variants) {
  return variants.map((each) => ({ name: each.name, weight: each.weight, ...contentRequest(each) }));
}
