// The part of the audience that waits for the decision of an A/B test: what it got and why, or who decides.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { APIError } from "../api.js";
import { sentences } from "../phrases.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Choices } from "../ui/field.js";
import { scaleOf } from "./scale.js";

/** Milliseconds that a person has to answer, before the leading variant is sent. */
const answerMs = 86_400_000;

const nameOf = (result, place) => result.variants.find(({ variant }) => variant === place)?.name ?? "";

/** {variant, text} of a banner. `names` are those of the campaign's variants. */
export function restText(result, names) {
  const { rest, decides_at: at } = result;
  const values = { count: rest.devices, name: names[rest.variant] ?? "", person: rest.decided_by ?? "" };
  switch (rest.state) {
    case "decided": {
      const by = rest.reason === "by_hand" && !rest.decided_by ? "byKey" : rest.reason;
      return {
        variant: ["winner", "clear"].includes(rest.reason) ? "good" : "note",
        text: t(`test.rest.${by}`, values),
      };
    }
    case "expired":
    case "cancelled":
      return { variant: "warn", text: t(`test.rest.${rest.state}`, values) };
    case "asked":
      return {
        variant: "warn",
        text: t("test.rest.asked", { ...values, time: moment(Date.parse(rest.asked_at) + answerMs) }),
      };
    default:
      if (rest.rule?.decision === "by_hand") return { variant: "warn", text: t("test.rest.yours", values) };
      return {
        variant: "note",
        text: at
          ? t(`test.rest.${rest.rule?.decision === "when_clear" ? "waitsAtMost" : "waits"}`, {
            ...values,
            time: moment(at),
          })
          : t("test.rest.soon", values),
      };
  }
}

/** `result` of the test, `names` of the variants, `decide(place)` takes the decision. Draws nothing without a rest. */
export function Rest() {
  let isAsking = false;
  return {
    view: ({ attrs: { result, names, decide } }) => {
      const { rest } = result;
      if (!rest) return null;
      const { variant, text } = restText(result, names);
      const isOpen = rest.state === "waiting" || rest.state === "asked";
      return [
        m(
          Banner,
          { variant, role: "status" },
          text,
          isOpen && session.may("campaigns:send") &&
            m(Button, { variant: "plain", onclick: () => (isAsking = true) }, t("test.rest.decide")),
        ),
        isAsking && isOpen && m(Decide, { result, names, decide, onclose: () => (isAsking = false) }),
      ];
    },
  };
}

/** Asks which variant the rest gets. */
function Decide({ attrs: { result } }) {
  let chosen = result.leader ?? 0;
  let error = null;
  let isBusy = false;
  const scale = scaleOf(result.goal);
  const rateOf = (place) => result.variants.find(({ variant }) => variant === place);
  return {
    view: ({ attrs: { names, decide, onclose } }) => {
      const count = result.rest.devices;
      const send = async () => {
        isBusy = true;
        error = null;
        try {
          await decide(chosen);
          onclose();
        } catch (thrown) {
          if (!(thrown instanceof APIError)) throw thrown;
          error = thrown.message;
        }
        isBusy = false;
        m.redraw();
      };
      return m(
        Dialog,
        {
          title: t("test.rest.title"),
          onclose,
          actions: [
            m(Button, { onclick: onclose }, t("action.back")),
            m(
              Button,
              { variant: "strong", disabled: isBusy, onclick: send },
              t("test.rest.send", { name: names[chosen], count }),
            ),
          ],
        },
        m(Choices, {
          label: t("test.rest.which", { count }),
          value: String(chosen),
          options: names.map((name, place) => {
            const known = rateOf(place);
            return {
              value: String(place),
              label: name,
              help: known?.people > 0
                ? t("test.rest.rate", {
                  rate: scale.value(scale.of(known)),
                  reached: number(known.reached),
                  people: number(known.people),
                })
                : null,
            };
          }),
          onchange: (value) => (chosen = Number(value)),
        }),
        m(
          "p.soft",
          sentences([
            chosen === result.leader && result.expected_loss > 0 &&
            t("test.rest.loss", { name: nameOf(result, chosen), loss: scale.withUnit(result.expected_loss) }),
            t("test.rest.final"),
          ]),
        ),
        error && m(Banner, { variant: "danger", role: "alert" }, error),
      );
    },
  };
}
