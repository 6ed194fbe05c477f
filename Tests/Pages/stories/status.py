"""The status of the server: its processes, and what needs a person."""

import json
from datetime import UTC, datetime, timedelta

from answers import ANSWER, answering
from stories import story


def ago(**time):
    return (datetime.now(UTC) - timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")


def process(name, kind, state, batches=0, **seen):
    return {"id": f"00000000-0000-4000-8000-{abs(hash(name)) % 10**12:012}", "name": name, "kind": kind, "host": f"{name}.example.com", "version": "0.1.0", "pid": 2741,
            "state": state, "started_at": ago(hours=5), "seen_at": ago(**seen), "ended_at": ago(**seen) if state == "ended" else None, "leased_batches": batches}


def sentence(text, *arguments):
    return {"key": text, "arguments": list(arguments)}


def finding(code, message, remedy, since=None, process=None, run=None):
    words = message["key"].replace("{}", "%s") % tuple(message["arguments"])
    return {"code": code, "began_at": since, "message": words, "message_localization": message, "remedy": remedy, "remedy_localization": sentence(remedy),
            "process_id": process, "process_name": process, **(run or dict.fromkeys(("app_id", "app_name", "campaign_id", "campaign_name", "run_id")))}


def troubled(world):
    run = {"app_id": world.workspace.app, "app_name": "Bells", "campaign_id": world.workspace.campaigns["sent"], "campaign_name": "Evening bells", "run_id": "7"}
    reason = "Apple refuses the signing key."
    return {
        "status": "attention", "at": ago(seconds=0),
        "processes": [process("web-1", "serve", "running", 6, seconds=4), process("worker-1", "work", "running", 8, seconds=2), process("worker-2", "work", "lost", 2, minutes=4),
                      process("worker-3", "work", "ended", minutes=20)],
        "backlog": {"sending_runs": 2, "paused_runs": 2, "due_batches": 1_234, "oldest_due_seconds": 312, "leased_batches": 16, "lapsed_leases": 2},
        "paused_runs": [{**run, "started_at": ago(hours=1), "reason": reason, "reason_localization": None}, {**run, "run_id": "8", "campaign_name": "Sale", "started_at": ago(hours=2), "reason": None, "reason_localization": None}],
        "findings": [
            finding("process_lost", sentence("The process {} is lost: it stopped reporting without saying that it ended.", "worker-2"),
                    "Read its log, and start it again. Other workers take over its batches within a minute. A process that was removed leaves this list after a day.", ago(minutes=4), "worker-2"),
            finding("run_paused", sentence("The run is paused: {}", reason), "Remove the cause, then resume the run, or cancel it.", run=run),
            finding("run_not_sent", sentence("Batches of the run are due, and no worker takes them."),
                    "Read the logs of the workers: often the credential of the app or the connection to APNs is the reason.", ago(minutes=5), run={**run, "campaign_name": "Sale", "run_id": "9"}),
        ],
    }


@story("status")
def shows_the_process_that_serves_the_page(world):
    browser = world.browser
    browser.open(world.page("/status"))
    browser.see("All is well")
    browser.see("Running")
    listed = [each for each in world.api.get("/v1/status")["processes"] if each["state"] == "running"]
    assert [each["kind"] for each in listed] == ["demo"], listed
    browser.see(f"Process {listed[0]['pid']}")
    browser.picture("status-fine")


@story("status")
def says_what_needs_a_person_and_leads_to_the_run(world):
    browser = world.browser
    for theme, language, lost in (("light", "en", "The process worker-2 is lost"), ("dark", "zh", "进程 worker-2 失联")):
        browser.visit(world.server.url, world.cookie, language=language)
        browser.look(theme=theme, height=1500)
        with answering(browser, "/v1/status", troubled(world)):
            browser.open(world.page("/status"))
            browser.see(lost)
            browser.see("Apple refuses the signing key.")
            browser.see("1,234")
            browser.picture(f"status-troubled-{language}-{theme}")
            browser.look(theme=theme, width=390, height=2200)
            browser.picture(f"status-troubled-{language}-{theme}-390")
    browser.visit(world.server.url, world.cookie)
    browser.look()
    with answering(browser, "/v1/status", troubled(world)):
        browser.open(world.page("/status"))
        browser.click("Evening bells", "link")
        browser.wait(lambda: "/runs/7" in browser.path(), "the page of the run")


@story("status")
def follows_by_itself(world):
    browser = world.browser
    browser.open(world.page("/status"))
    browser.see("All is well")
    browser.run(ANSWER % (json.dumps("/v1/status"), json.dumps(json.dumps(troubled(world))), 200))
    browser.see("The process worker-2 is lost")
