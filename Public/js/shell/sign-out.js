import { api } from "../api.js";
import { session } from "../session.js";
import { goToSignIn } from "../sign-in-state.js";

/** Ends the session, and leads to the sign-in page. */
export async function signOut() {
  await api.delete("/v1/session");
  session.clear();
  history.replaceState({}, "", "/");
  goToSignIn(null);
}
