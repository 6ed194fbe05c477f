"""Sends damaged bodies to a running API, and fails if one is answered with a 5xx.

    damaged-bodies.py URL APP COUNT

The key is in the environment variable BELFRY_KEY. The bodies in valid-bodies.json are valid, which is checked first.
Then one or two changes are made to each: to a value at any depth, as people make mistakes, or to its bytes.
"""

import copy
import http.client
import json
import os
import random
import sys
import urllib.parse
from pathlib import Path

BODIES = Path(__file__).with_name("valid-bodies.json")
# A fixed seed makes runs repeatable.
SEED = 1
TIMEOUT_SECONDS = 30

VALUES = [
    *[None, True, False, 0, 1, -1, 0.5, 1e308, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**40],
    *["", " ", "a", "\0", "é", "\U0001f514", "1", "-1", "'; --", "%s", "..", "a" * 300, "a" * 40_000],
    *["{{ a", "{% if a %}", "{{ a | date: '%q' }}", "FREQ=WEEKLY;BYDAY=", "FREQ=DAILY;COUNT=99999999999"],
    *[
        "2030-02-30T25:61:00Z",
        "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00",
        "Mars/Olympus",
        "https://127.0.0.1:99999/",
    ],
    *[[], [[]], [None], ["a"] * 2_000, {}, {"": ""}, {"$gt": ""}, {"a": {"b": {"c": [1, {"d": None}]}}}],
]
BYTES = b'{}[]",:\\u0eE.+-n \t\n\x00\x1f\x80\xc3\xff'


class API:
    def __init__(self, url, key):
        self.host = urllib.parse.urlsplit(url).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "If-Match": "*"}
        self.connection = None

    def send(self, method, path, body):
        self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)
        self.connection.request(method, path, body, self.headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.will_close:
            self.connection.close()
            self.connection = None
        return response.status, answer


def places(value):
    """All containers in a value with the keys or indexes of their elements."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def damaged(body, chance):
    body = copy.deepcopy(body)
    for _ in range(chance.randint(1, 2)):
        container, key = chance.choice(list(places(body)) or [([body], 0)])
        kind = chance.randrange(6)
        if kind == 0:
            del container[key]
        elif kind == 1 and isinstance(container, dict):
            container[chance.choice(["", "\0", "name", "x" * 500, "aps", "é"])] = container.pop(key)
        elif kind == 2 and isinstance(container, list):
            container.extend(copy.deepcopy(container[key]) for _ in range(chance.choice([1, 1_000])))
        else:
            container[key] = copy.deepcopy(chance.choice(VALUES))
    data = json.dumps(body, ensure_ascii=chance.random() < 0.5).encode()
    if chance.random() < 0.25:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.choice(BYTES)]) * chance.randint(0, 2) + data[at + chance.randint(0, 2) :]
    return data


def main():
    url, app, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    api = API(url, os.environ["BELFRY_KEY"])
    # What the operations made, by the last name in their paths.
    ids, operations = {"app": app}, []
    for method, pattern, body in json.loads(BODIES.read_text()):
        path = pattern.format(**ids)
        status, answer = api.send(method, path, json.dumps(body).encode())
        # Without a credential nothing is sent to Apple.
        if not 200 <= status < 300 and b'"no-credential"' not in answer:
            sys.exit(f"The valid body of {method} {path} is refused with {status}: {answer.decode()}")
        made = json.loads(answer or b"{}")
        if method == "POST":
            ids.setdefault(path.rsplit("/", 1)[1], made.get("id") or made.get("key"))
        operations.append((method, path, body))
    chance = random.Random(SEED)
    counts, failures = {}, []
    for number in range(count):
        method, path, body = operations[number % len(operations)]
        data = damaged(body, chance)
        status, answer = api.send(method, path, data)
        counts[status // 100] = counts.get(status // 100, 0) + 1
        if status >= 500:
            failures.append(f"{method} {path} {data[:500]!r}: {status} {answer[:300]!r}")
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print(f"{count} damaged bodies: " + ", ".join(f"{n} {c}xx" for c, n in sorted(counts.items())))
    sys.exit(1 if failures else 0)


main()
