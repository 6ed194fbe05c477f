// Loads data for a page, and draws their state: loading, there, or failed. After a failure the last data stay.

import m from "./m.js";
import { clock, t } from "./i18n.js";
import { ServerUnavailable } from "./api.js";
import { Banner } from "./ui/banner.js";
import { Button } from "./ui/button.js";
import { UnavailablePage } from "./ui/unavailable-page.js";
import { Skeleton } from "./ui/skeleton.js";

/**
 * Loads with `work(signal)`, immediately and on `reload()`. A newer load ends an older one. Has `data`, `error`,
 * `isLoading`, `loadedAt`; set `data` to show what a change returned.
 */
export function load(work) {
  let abort = new AbortController();
  const resource = {
    data: undefined,
    error: null,
    isLoading: false,
    loadedAt: null,
    async reload() {
      abort.abort();
      const own = (abort = new AbortController());
      resource.isLoading = true;
      try {
        const data = await work(own.signal);
        if (own !== abort) return;
        Object.assign(resource, { data, error: null, loadedAt: Date.now() });
      } catch (error) {
        if (own !== abort || own.signal.aborted) return;
        resource.error = error;
      }
      resource.isLoading = false;
      m.redraw();
    },
    /** Call it when the page is left. */
    end() {
      abort.abort();
    },
  };
  resource.reload();
  return resource;
}

/** The banner of a failed resource, which can retry. */
export function Failure(resource) {
  const { error, loadedAt } = resource;
  return error &&
    m(
      Banner,
      { variant: "danger", role: "alert" },
      loadedAt
        ? t("state.stale", { time: clock(loadedAt) })
        : error.status >= 500
        ? t("error.status", { status: String(error.status) })
        : error.message,
      error instanceof ServerUnavailable || error.status >= 500 || loadedAt
        ? m(Button, { variant: "plain", onclick: () => resource.reload() }, t("action.retry"))
        : null,
    );
}

/**
 * Draws a resource: `Loaded({resource, skeleton}, (data) => …)`. Until it is there the skeleton, which is as large as
 * what will come; after a failure a banner that can retry, above the last data.
 */
export function Loaded({ resource, skeleton = m(Skeleton) }, draw) {
  const { data, error } = resource;
  if (data === undefined) return error ? Failure(resource) : skeleton;
  return [Failure(resource), draw(data)];
}

/**
 * Draws the page of one record: like `Loaded`, with a heading while the record is not there, and with the way to its
 * list, {href, title}, if the record does not exist or may not be seen.
 */
export function LoadedPage({ resource, skeleton, list }, draw) {
  const { data, error } = resource;
  if (data === undefined && [403, 404].includes(error?.status)) {
    const name = error.status === 404 ? "missing" : "mayNot";
    return m(
      UnavailablePage,
      { title: t(`error.${name}`), text: t(`error.${name}Text`) },
      m(Button, { variant: "strong", href: list.href }, list.title),
    );
  }
  return [data === undefined && m("div.page-head", m("h1", list.title)), Loaded({ resource, skeleton }, draw)];
}
