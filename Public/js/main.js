// Starts the pages: language, session, router, and the shell around every page.

import m from "./m.js";
import { listeners } from "./api.js";
import { preferredLanguage, setLanguage } from "./i18n.js";
import { connection } from "./connection.js";
import { startKeys } from "./keys.js";
import { onArrival, setRoutes, startRouter } from "./router.js";
import { routes } from "./routes.js";
import { session } from "./session.js";
import { enterWith, goToSignIn } from "./sign-in-state.js";
import { focusPage, Shell } from "./shell.js";

listeners.reachable = connection.setReachable;
listeners.ended = (message) => {
  session.clear();
  goToSignIn(message);
};
onArrival.call = focusPage;
setRoutes(routes);

await setLanguage(preferredLanguage());
const link = session.takeLink();
await enterWith(link);
startKeys();
m.mount(document.getElementById("app"), Shell);
await startRouter();
