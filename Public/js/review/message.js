// The message that a campaign will send: its own text, or that of its template's version.

import m from "../m.js";
import { api } from "../api.js";
import { isVisible } from "../content/payload.js";
import { inApp } from "../session.js";

/**
 * `follow()` in each drawing keeps it up to date. Has `content` (undefined while it is loaded), `isRendered`,
 * `showsNothing`.
 */
export function messageOf(draft) {
  let wanted = null;
  let content;
  return {
    get isRendered() {
      return Boolean(draft.value.content || draft.value.template);
    },
    get content() {
      const { content: own, template, payload } = draft.value;
      return own ?? (template ? content : { payload: payload ?? {} });
    },
    /** A sound without a text: a program may send that, a person who does forgot the text. */
    get showsNothing() {
      const shown = this.content;
      if (!shown || (shown.push_type ?? draft.value.push_type ?? "alert") !== "alert") return false;
      return [shown.payload, ...Object.values(shown.variants ?? {})].some((payload) =>
        !isVisible(payload) && payload?.aps?.badge === undefined
      );
    },
    follow() {
      const { template: id, template_version: version } = draft.value;
      const key = id && `${id} ${version}`;
      if (key === wanted) return;
      wanted = key;
      content = undefined;
      if (id) load(id, version, key);
    },
  };
  async function load(id, version, key) {
    try {
      const template = await api.get(inApp(`/templates/${id}`), { version });
      if (key === wanted) content = template.content;
    } catch {
      // The review goes on without the phone.
    }
    m.redraw();
  }
}
