"""Answers requests of the pages in place of the server, through Chromium's Fetch domain: late, wrongly, or not at all."""

import base64
import json
import threading
import urllib.request

import websocket

PATTERNS = [{"urlPattern": f"*/{path}"} for path in ("v1/apps/*", "v1/users*", "v1/keys*", "v1/sessions*", "v1/status", "healthz")]
HEADERS = [{"name": "Content-Type", "value": "application/problem+json"}]


class Interception:
    """`answer` is None (the server answers), "slow" (nobody does until `release`), "lost", "read-only" (writes are
    lost), or {status, detail} of a problem."""

    def __init__(self, browser, patterns=PATTERNS):
        address = browser.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json", timeout=10) as response:
            page = next(each for each in json.loads(response.read()) if each["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], suppress_origin=True)
        self.answer = None
        self.held = []
        self.number = 0
        self.lock = threading.Lock()
        self.command("Fetch.enable", patterns=patterns)
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()
        self.command("Fetch.disable")
        self.socket.close()
        self.thread.join(5)

    def command(self, method, **params):
        with self.lock:
            self.number += 1
            self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))

    def listen(self):
        while True:
            try:
                message = json.loads(self.socket.recv())
            except (websocket.WebSocketException, OSError, ValueError):
                return
            if message.get("method") == "Fetch.requestPaused":
                self.decide(message["params"]["requestId"], message["params"]["request"]["method"])

    def decide(self, request, method):
        answer = self.answer
        if answer is None or (answer == "read-only" and method == "GET"):
            self.command("Fetch.continueRequest", requestId=request)
        elif answer == "slow":
            self.held.append(request)
        elif answer in ("lost", "read-only"):
            self.command("Fetch.failRequest", requestId=request, errorReason="ConnectionRefused")
        else:
            body = base64.b64encode(json.dumps(answer | {"code": "injected"}).encode()).decode()
            self.command("Fetch.fulfillRequest", requestId=request, responseCode=answer["status"], responseHeaders=HEADERS, body=body)

    def release(self):
        """The server answers from now on, also what was held."""
        self.answer = None
        while self.held:
            self.command("Fetch.continueRequest", requestId=self.held.pop())
