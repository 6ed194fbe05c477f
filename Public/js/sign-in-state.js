// Lets a person in: with a session, with a one-time address, or through the sign-in page.

import { api, APIError } from "./api.js";
import { session } from "./session.js";

/** The state of the sign-in page: {purpose, token, message, from}. */
export const signInState = { purpose: "sign-in", token: null, message: null, from: null };

/** Loads the session, or prepares the sign-in page. `link` is a one-time address that was opened, or null. */
export async function enterWith(link) {
  try {
    if (link?.purpose === "sign-in") await api.post("/v1/session", { link: link.token });
    if (!link || link.purpose === "sign-in") return await session.load();
    Object.assign(signInState, { purpose: link.purpose, token: link.token });
    goToSignIn(null);
  } catch (error) {
    if (error instanceof APIError && error.status === 401) {
      return goToSignIn(link ? error.message : null);
    }
    goToSignIn(error.message);
  }
}

/** Opens the sign-in page; afterwards the reader comes back to this address. */
export function goToSignIn(message) {
  signInState.message = message;
  if (location.pathname !== "/sign-in") {
    signInState.from = location.pathname + location.search;
    history.replaceState({}, "", "/sign-in");
    window.dispatchEvent(new PopStateEvent("popstate"));
  }
}
