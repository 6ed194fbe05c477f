// The bytes of a push, of Apple's 4,096: the parts that take the space, for the sample person and for the longest
// values.

import m from "../m.js";
import { bytes, number, t } from "../i18n.js";
import { Meter } from "../ui/meter.js";
import { bytesOf, parts } from "./payload.js";

const amber = 3_600;
/** `payload`: as it is sent; `variant`: the server's word on a template, or undefined while it is computed. */
export const ByteMeter = {
  view: ({ attrs: { payload, variant } }) => {
    const shown = variant?.payload ?? payload;
    const limit = variant?.limit ?? 4_096;
    const length = variant?.length ?? bytesOf(shown);
    const worst = Math.max(variant?.max_bytes ?? 0, length);
    const split = parts(shown).filter(({ value }) => value > 0);
    const tone = worst > limit ? "danger" : worst > amber ? "warn" : "soft";
    return m(
      "div.byte-meter",
      m(Meter, {
        label: t("content.bytesLabel", { used: length, limit }),
        all: Math.max(limit, length),
        class: "thin",
        parts: split.map(({ kind, color, value }) => ({ color, value, label: t(`content.part.${kind}`) })),
      }),
      m(
        "p.field-help",
        { class: tone, role: worst > limit ? "alert" : undefined },
        t("content.bytes", { used: number(length), limit: bytes(limit) }),
        variant && worst > length ? ` · ${t("content.worst", { size: number(worst) })}` : "",
        worst > limit ? ` · ${t("content.over", { count: worst - limit })}` : "",
      ),
      m(
        "ul.byte-parts",
        split.map(({ kind, color, value }) =>
          m(
            "li",
            { key: kind },
            m("i", { style: { background: color } }),
            t(`content.part.${kind}`),
            ` ${number(value)}`,
          )
        ),
      ),
    );
  },
};
