// The countries that a condition can name, by their codes of ISO 3166-1, in the reader's language. The server has the
// same codes in `ZoneName+Countries`.

import { language } from "../i18n.js";

const codes =
  ("AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA " +
    "CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO " +
    "JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ " +
    "MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA " +
    "RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO " +
    "TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW").split(" ");

const names = () => new Intl.DisplayNames([language], { type: "region" });

/** "Germany" of DE; the code itself if the browser knows no name. */
export const countryName = (code) => names().of(code) ?? code;

/** [{value, label}] in the order of the names. */
export function countries() {
  const all = names();
  const order = new Intl.Collator(language).compare;
  return codes.map((value) => ({ value, label: all.of(value) ?? value })).sort((a, b) => order(a.label, b.label));
}

/** The code of a typed name or code; null if there is none. */
export function countryCode(text) {
  const typed = text.trim().toLocaleLowerCase(language);
  return countries().find(({ value, label }) =>
    value.toLowerCase() === typed || label.toLocaleLowerCase(language) === typed
  )?.value ?? null;
}
