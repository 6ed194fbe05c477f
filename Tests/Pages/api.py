"""A client of the HTTP API, which makes what the pages show."""

import json
import time
import urllib.error
import urllib.request

TIMEOUT_SECONDS = 20


class API:
    def __init__(self, url, key):
        self.url = url
        self.key = key

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            # A change by somebody who did not look first.
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"} | ({"If-Match": "*"} if method == "PATCH" else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, body=None):
        return self.send("POST", path, body)

    def delete(self, path):
        return self.send("DELETE", path)

    def wait(self, path, condition, what):
        """Gets the path until the answer fulfils the condition."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            answer = self.get(path)
            if condition(answer):
                return answer
            if time.monotonic() > end:
                raise RuntimeError(f"{what} did not happen within {TIMEOUT_SECONDS} s: {answer}")
            time.sleep(0.05)
