// The server's word on content while it is typed: its exact bytes, its problems, and the texts for one person.

import m from "../m.js";
import { api, APIError } from "../api.js";
import { inApp } from "../session.js";
import { same } from "../json/difference.js";
import { setMembers } from "../payload/fields.js";

/** Milliseconds after the last key. */
const previewDelayMs = 300;

/**
 * Follows content: call `follow(content, as)` on each draw; `as` is {installation} or {recipient}. Has `answer` (of
 * POST /templates/preview, the last that was possible), `content` and `as` that it is about, and `problems` with paths
 * that begin with "content.".
 */
export function Preview() {
  let timer, abort, asked;
  const preview = {
    answer: null,
    content: null,
    as: null,
    problems: [],
    follow(content, as) {
      if (asked && same(asked, { content, as })) return;
      asked = { content, as };
      clearTimeout(timer);
      timer = setTimeout(ask, previewDelayMs);
    },
    /** The variant of a tab, or undefined while it is about older content. */
    variant(locale) {
      return preview.answer?.variants.find((each) => each.locale === locale);
    },
    isFresh(content, as) {
      return same(preview.as, as) && same(preview.content, content);
    },
    end() {
      clearTimeout(timer);
      abort?.abort();
    },
  };

  async function ask() {
    abort?.abort();
    const own = (abort = new AbortController());
    const { content, as } = asked;
    try {
      const answer = await api.post(inApp("/templates/preview"), {
        // A campaign has the priority of its push type already; null leaves it to the server.
        content: { payload: {}, ...setMembers(content, ["variants", "media"]) },
        ...as,
      }, { signal: own.signal });
      Object.assign(preview, { answer, content, as, problems: answer.problems });
    } catch (error) {
      // Without the server the local preview goes on; what it refuses is said beside the fields.
      if (own.signal.aborted) return;
      if (error instanceof APIError) preview.problems = error.problems;
    }
    m.redraw();
  }
  return preview;
}
