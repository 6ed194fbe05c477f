// One name of custom events: what it means, and how often it happened.

import m from "../m.js";
import { day, number, t, zone as ownZone } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { beginnings, filled } from "../analytics/period.js";
import { timeTicks } from "../analytics/times.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp, session } from "../session.js";
import { edit } from "../setup/editor.js";
import { Conflict, Problems } from "../setup/forms.js";
import { Button } from "../ui/button.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { LineChart } from "../ui/chart-lines.js";
import { ask, Dialog } from "../ui/dialog.js";
import { SelectField, TextField } from "../ui/field.js";
import { toast, toastError } from "../ui/toast.js";
import { LedTo } from "./led-to.js";

const days = [1, 2, 3, 4, 5, 6, 7];
const label = (field) => t(`customEvents.${field}`);

/** `event` of the list; `onclose()`, `onsaved(event)`. */
export function EventDialog({ attrs: { event } }) {
  const path = inApp(`/custom-event-names/${encodeURIComponent(event.name)}`);
  const editor = edit({
    item: `belfry.draft.event.${session.app}.${event.name}`,
    fields: ["description", "conversion_days"],
    record: event,
    label,
    read: () => api.get(path),
    write: (changes, version) => api.patch(path, changes, { ifMatch: version }),
  });
  const series = load((signal) =>
    api.get(inApp("/statistics/custom-events"), { name: event.name, time_zone: ownZone }, { signal })
  );
  const readonly = !session.may("apps:write");
  /** Closes first: one dialog at a time. */
  async function remove(onclose, ondeleted) {
    onclose();
    const isSure = await ask({
      title: t("customEvents.deleteTitle", { name: event.name }),
      text: t("customEvents.deleteText"),
      confirm: t("action.delete"),
    });
    if (!isSure) return;
    await api.delete(path).then(() => {
      toast(t("setup.deleted"));
      ondeleted();
    }, toastError);
  }
  return {
    onremove: () => series.end(),
    view: ({ attrs: { onclose, onsaved } }) =>
      m(
        Dialog,
        {
          title: event.name,
          wide: true,
          onclose,
          actions: [
            !readonly && m(
              Button,
              {
                key: "save",
                variant: "strong",
                onclick: () => editor.save().then((record) => record && onsaved(record)),
                reason: editor.isDirty ? undefined : t("setup.noChange"),
              },
              t("action.save"),
            ),
            m(Button, { key: "close", onclick: onclose }, t("action.close")),
            !readonly && m(
              Button,
              { key: "delete", variant: "danger", onclick: () => remove(onclose, onsaved) },
              t("customEvents.delete"),
            ),
          ].filter(Boolean),
        },
        m(Conflict, { editor, label, onsaved }),
        m(Problems, { editor, known: ["description", "conversion_days"] }),
        m(TextField, {
          label: label("description"),
          help: t("customEvents.descriptionHelp"),
          rows: 2,
          maxlength: 500,
          value: editor.draft.description,
          error: editor.problems.at("description"),
          readonly,
          oninput: (value) => editor.set("description", value),
        }),
        m(SelectField, {
          label: label("conversion_days"),
          help: t("customEvents.conversionHelp"),
          value: String(editor.draft.conversion_days ?? ""),
          error: editor.problems.at("conversion_days"),
          disabled: readonly,
          options: [
            { value: "", label: t("customEvents.noConversion") },
            ...days.map((count) => ({ value: String(count), label: t("customEvents.withinDays", { count }) })),
          ],
          onchange: (value) => editor.set("conversion_days", value ? Number(value) : null),
        }),
        event.conversion_days && m(LedTo, { event }),
        m("h3", t("customEvents.series")),
        Loaded({ resource: series }, (data) => m(Series, { data })),
      ),
  };
}

const Series = {
  view: ({ attrs: { data } }) => {
    const { units, begins_at: from, ends_at: until } = data;
    if (!units.length) return m("p.soft", t("customEvents.nothing"));
    const points = filled(units, beginnings("day", Date.parse(from), Date.parse(until), ownZone));
    const name = (time) => day(time, { weekday: true });
    const most = units.reduce((best, each) => (each.count > best.count ? each : best));
    const sentence = t("customEvents.most", {
      count: number(units.reduce((sum, { count }) => sum + count, 0)),
      day: name(Date.parse(most.starts_at)),
      most: number(most.count),
    });
    const lines = [{ label: data.name }];
    return m(
      ChartFigure,
      {
        sentence,
        lines,
        table: {
          label: t("customEvents.series"),
          columns: [
            {
              id: "day",
              label: t("customEvents.day"),
              wide: true,
              cell: ({ starts_at: at }) => name(Date.parse(at)),
            },
            { id: "count", label: t("customEvents.count"), number: true, cell: ({ count }) => number(count) },
            { id: "amount", label: t("customEvents.amount"), number: true, cell: ({ amount }) => number(amount) },
          ],
          records: () => units.map((each) => ({ ...each, id: each.starts_at })),
        },
      },
      m(LineChart, {
        label: sentences([stopped(t("customEvents.series")), sentence]),
        lines,
        ticks: timeTicks("day", points.map(({ time }) => time), ownZone),
        points: points.map(({ time, counts }) => ({
          get title() {
            return name(time);
          },
          values: [counts?.count ?? 0],
        })),
      }),
    );
  },
};
