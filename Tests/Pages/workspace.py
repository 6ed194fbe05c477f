"""One of everything that has a page, made through the API."""

NAME = "Pages"
BODY = {"aps": {"alert": {"title": "Evening bells", "body": "Tonight at eight."}}}
GREETING = {"aps": {"alert": {"title": "Evening bells", "body": 'Hello {{ first_name | default: "there" }}.'}}}
FUTURE = "2030-01-01T18:00:00"


class Workspace:
    """The demo's app. `ids` has a value for each parameter of an address."""

    def __init__(self, api):
        self.api = api
        self.app = api.get("/v1/apps")["data"][0]["id"]
        self.path = f"/v1/apps/{self.app}"
        device = api.get(f"{self.path}/devices?limit=200")["data"]
        known = next(each for each in device if each["user_id"])
        template = self.make("templates", {"name": f"{NAME} template", "content": {
            "payload": GREETING, "variants": {"zh-Hans": GREETING}}})
        segment = self.make("segments", {
            "name": f"{NAME} segment", "audience": {"include": {"all": [{"not": {"tag": "nobody"}}]}}})
        category = self.make("categories", {
            "identifier": "PAGES", "actions": [{"identifier": "reply", "title": {"default": "Reply"}}]})
        plan = self.make("local-plans", {"name": f"{NAME} plan", "notifications": [
            {"identifier": "a", "trigger": {"type": "interval", "seconds": 60}, "content": BODY}]})
        self.send_topic()
        self.campaigns = {
            "draft": self.campaign("draft"),
            "scheduled": self.campaign("scheduled", {"kind": "local", "at": FUTURE}),
            "sent": self.campaign("sent"),
            "cancelled": self.campaign("cancelled", {"kind": "local", "at": FUTURE}),
        }
        for state in ("scheduled", "cancelled"):
            self.act(state, "schedule")
        self.act("cancelled", "cancel")
        run = self.send_now("sent")
        self.ids = {
            "app": self.app, "campaign": self.campaigns["draft"], "run": run["id"], "template": template,
            "segment": segment, "installation": known["installation"], "user": known["user_id"],
            "category": category, "plan": plan, "member": self.member(),
        }

    def make(self, kind, body):
        return self.api.post(f"{self.path}/{kind}", body)["id"]

    def send_topic(self):
        self.api.post(f"{self.path}/topics", {"key": "news", "name": "News", "translations": {"zh": {"name": "新闻"}}})

    def campaign(self, state, schedule=None):
        body = {"name": f"{NAME} {state}", "payload": BODY} | ({"schedule": schedule} if schedule else {})
        return self.make("campaigns", body)

    def act(self, state, verb):
        return self.api.post(f"{self.path}/campaigns/{self.campaigns[state]}/{verb}")

    def send_now(self, state):
        """Starts a campaign and returns its run, finished and recounted."""
        self.act(state, "start")
        campaign = f"{self.path}/campaigns/{self.campaigns[state]}"
        runs = self.api.wait(f"{campaign}/runs", lambda answer: answer["data"], "the run")
        run = f"{self.path}/runs/{runs['data'][0]['id']}"
        return self.api.wait(run, lambda answer: answer["verified_at"], "the verified ledger")

    def member(self):
        """Adds somebody who has roles in an app and in all of them, and no password yet."""
        return self.api.post("/v1/users", {"email": "member@pages.example", "name": f"{NAME} member", "roles": [
            {"role": "marketer", "app_id": self.app}, {"role": "analyst"}]})["id"]

    def person(self, email, role, app=None):
        """Adds a person and returns the address at which they choose a password."""
        role = {"role": role} | ({"app_id": app} if app else {})
        return self.api.post("/v1/users", {"email": email, "name": email, "roles": [role]})["password_link"]
