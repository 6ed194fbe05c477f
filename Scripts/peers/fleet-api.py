"""A stub of the API's device routes, for tests of the fleet.

Prints its port. Answers 400 to invalid requests and 503 to every 50th registration.
"""
import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEVICE = re.compile(r"/v1/apps/7/devices/[0-9a-f]{32}")
lock, registrations = threading.Lock(), [0]


def check(condition):
    if not condition:
        raise ValueError


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        text = self.rfile.read(int(self.headers["content-length"]))
        check(self.headers["authorization"] == "Bearer bfp_test")
        return json.loads(text)

    def do_PUT(self):
        try:
            body = self.body()
            check(DEVICE.fullmatch(self.path))
            check(len(bytes.fromhex(body["token"])) in (32, 80))
            check(body["environment"] in ("production", "development"))
            check(body["authorization_status"] in ("authorized", "denied"))
            check(all(body[key] for key in ("locale", "time_zone", "os_version", "app_version", "model")))
            person = body.get("person", {}).get("attributes", {})
            check(set(person) == ({"first_name", "plan"} if "user_id" in body else set()))
            check(set(body["attributes"]) | set(person) == {"first_name", "city", "plan"})
        except (ValueError, KeyError):
            return self.answer(400, {})
        with lock:
            registrations[0] += 1
            is_busy = registrations[0] % 50 == 0
        self.answer(503 if is_busy else 200, {})

    def do_POST(self):
        try:
            events = self.body()["events"]
            check(self.path == "/v1/apps/7/acknowledgements" and 1 <= len(events) <= 100)
            for event in events:
                uuid.UUID(event["message_id"])
                check(event["kind"] in ("delivered", "opened", "action", "text", "dismissed", "converted", "influenced"))
                check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["at"]))
        except (ValueError, KeyError):
            return self.answer(400, {})
        self.answer(200, {"stored": len(events), "known": len(events), "refused": []})

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
