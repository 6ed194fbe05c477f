// "Why?" has an address, so that it can be shared: `?why=<run>` or `?why-campaign=<campaign>`, on a person's page with
// `device`.

import { route, setQuery } from "../router.js";

const nothing = { why: null, "why-campaign": null, device: null };
/** True if the dialog was opened on this page: closing it then goes back. */
let isOpened = false;

/** {run, campaign, device} that the address asks about, or null. */
export function askedWhy() {
  const { why: run, "why-campaign": campaign, device } = route.query;
  return run || campaign ? { run, campaign: run ? undefined : campaign, device } : null;
}

/** `values` are parameters of the address. */
export function openWhy(values) {
  setQuery({ ...nothing, ...values }, { push: true });
  isOpened = true;
}

export function closeWhy() {
  const wasOpened = isOpened;
  // A second Escape may come before the first has arrived.
  isOpened = false;
  if (wasOpened) history.back();
  else setQuery(nothing);
}

/** Call it when it is no longer shown. */
export function forgetWhy() {
  isOpened = false;
}
