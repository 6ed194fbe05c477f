// Chooses the variant of a content for a phone, as the server does (LocaleTag+Matching.swift).
// The browser knows the names and scripts of languages; the parents are from Unicode's CLDR 47. No DOM.

/** Languages that are written in several scripts: their tags show the script. */
const severalScripts = new Set(("az bs ff ha hak iu kk ks ku ky lzz mn mni nan pa pnt sat sd shi sr tg ug unr uz vai " +
  "yue zh").split(" "));

const parents = new Map([
  ["nn", "nb"],
  ["ht", "fr-HT"],
  ["hi-Latn", "en-IN"],
  ["en-150", "en-001"],
  ["zh-Hant-MO", "zh-Hant-HK"],
  ["yue-Hant", "zh-Hant"],
  ["yue-Hans", "zh-Hans"],
]);
const regionsByParent = {
  "en-001": "AG AI AU BB BM BS BW BZ CC CK CM CX CY DG DM ER FJ FK FM GB GD GG GH GI GM GS GY HK ID IE IL IM IN IO " +
    "JE JM KE KI KN KY LC LR LS MG MO MS MT MU MV MW MY NA NF NG NR NU NZ PG PK PN PW RW SB SC SD SG SH SL SS SX SZ " +
    "TC TK TO TT TV TZ UG VC VG VU WS ZA ZM ZW",
  "en-150": "AT BE CH CZ DE DK ES FI FR HU IT NL NO PL PT RO SE SI SK",
  "es-419": "AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE",
  "pt-PT": "AO CH CV FR GQ GW LU MO MZ ST TL",
};
for (const [parent, regions] of Object.entries(regionsByParent)) {
  for (const region of regions.split(" ")) parents.set(`${parent.split("-")[0]}-${region}`, parent);
}

/** A tag in the server's form: `zh-Hant-TW` for "zh_TW", "nb" for "no"; null if it is none. */
export function canonical(tag) {
  try {
    const { language, script, region } = new Intl.Locale(tag.replace(/[@.].*/u, "").replaceAll("_", "-"));
    return joined(language === "no" ? "nb" : language, script, region);
  } catch {
    return null;
  }
}

/** The locale of a phone that reports this tag: "zh-Hans" for "zh". */
export function localeOf(tag) {
  const name = canonical(tag);
  if (name === null) return null;
  const { language, script, region } = new Intl.Locale(name);
  return severalScripts.has(language) ? joined(language, script ?? standardScript(language), region) : name;
}

function joined(language, script, region) {
  const likely = region && new Intl.Locale(`${language}-${region}`).maximize().script;
  const own = script !== standardScript(language) && script;
  const shown = severalScripts.has(language) ? script ?? likely : own;
  return [language, shown, region].filter(Boolean).join("-");
}

const standardScript = (language) => new Intl.Locale(language).maximize().script;

/** zh-Hant-MO, zh-Hant-HK, zh-Hant: from the locale to its last parent. */
export function chain(locale) {
  const tags = [];
  for (let tag = locale; tag; tag = parentOf(tag)) tags.push(tag);
  return tags;
}

function parentOf(tag) {
  if (parents.has(tag)) return parents.get(tag);
  const { language, script, region } = new Intl.Locale(tag);
  if (region) return [language, script].filter(Boolean).join("-");
  return script && script === standardScript(language) ? language : null;
}

const writing = (tag) => tag.split("-").filter((part, index) => index === 0 || part.length === 4).join("-");

/** The best of these tags for a phone; null if the default is better, which is in the language `standard`. */
export function best(tags, tag, standard = null) {
  const locale = localeOf(tag);
  if (locale === null) return null;
  const keys = new Map(tags.map((each) => [canonical(each), each]).reverse());
  const own = standard && localeOf(standard);
  const names = chain(locale);
  const near = names.find((each) => keys.has(each));
  if (near || names.includes(own)) return keys.get(near) ?? null;
  return keys.get(sibling([...keys.keys(), own], names) ?? locale.split("-")[0]) ?? null;
}

/** The tag for another region with the nearest common parent; then that with the most readers, then by name. */
function sibling(tags, names) {
  const rank = (tag) => {
    const full = tag && localeOf(tag);
    if (!full) return null;
    const own = new Set(chain(full));
    const distance = names.findIndex((each) => own.has(each) && writing(each) === writing(full));
    const isMain = new Intl.Locale(writing(full)).maximize().region === new Intl.Locale(full).region;
    return distance < 0 ? null : { tag, distance, isMain };
  };
  const byName = (one, other) => (one.tag < other.tag ? -1 : 1);
  return tags.map(rank).filter(Boolean)
    .sort((one, other) => one.distance - other.distance || other.isMain - one.isMain || byName(one, other))[0]?.tag;
}
