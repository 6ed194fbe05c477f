// The address without an app: on to the app that was used last, to the wizard, or to sign in.

import { navigate } from "../router.js";
import { session, page } from "../session.js";

const item = "belfry.app";

export function rememberApp(app) { localStorage.setItem(item, app); }

export default {
  oninit: () => {
    if (!session.current) return navigate("/sign-in", { replace: true });
    const last = localStorage.getItem(item);
    const app = session.apps.find(({ id }) => id === last) ?? session.apps[0];
    navigate(app ? page("/campaigns", app.id) : "/setup", { replace: true });
  },
  view: () => null,
};
