// The address without an app: on to the app that was used last, to the wizard, or to sign in.

import { navigate } from "../router.js";
import { page, session } from "../session.js";

export default {
  oninit: () => {
    if (!session.current) return navigate("/sign-in", { replace: true });
    const app = session.lastApp ?? session.apps[0];
    navigate(app ? page("/campaigns", app.id) : "/setup", { replace: true });
  },
  view: () => null,
};
