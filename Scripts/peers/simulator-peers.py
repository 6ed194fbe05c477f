#!/usr/bin/env python3
"""Sends pushes to a running simulator with third-party clients: httpx and aioapns.

Usage: simulator-peers.py httpx|aioapns PORT FOLDER KEY-ID TEAM-ID TOPIC
FOLDER contains ca.pem and key.p8. The token ee…ee must be unregistered. Exits 0 if all answers are as documented by Apple.
"""
import asyncio
import ssl
import sys
import time
import uuid

import httpx
import jwt

client, port, folder, key_id, team_id, topic = sys.argv[1:]
good, gone = "ab" * 32, "ee" * 32
payload = {"aps": {"alert": "Hi"}}


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: expected {wanted!r}, got {found!r}")


def authority():
    return ssl.create_default_context(cafile=f"{folder}/ca.pem")


async def with_httpx():
    key = open(f"{folder}/key.p8").read()
    token = jwt.encode({"iss": team_id, "iat": int(time.time())}, key, "ES256", headers={"kid": key_id})
    async with httpx.AsyncClient(http1=False, http2=True, verify=authority()) as session:

        async def push(device=good, method="POST", body=payload, **changes):
            headers = {"authorization": f"bearer {token}", "apns-topic": topic, "apns-push-type": "alert",
                       "apns-id": str(uuid.uuid4())}
            headers.update({name.replace("_", "-"): value for name, value in changes.items()})
            headers = {name: value for name, value in headers.items() if value is not None}
            answer = await session.request(
                method, f"https://localhost:{port}/3/device/{device}", json=body, headers=headers)
            return answer, headers.get("apns-id")

        answer, identifier = await push()
        expect("version", answer.http_version, "HTTP/2")
        expect("status", answer.status_code, 200)
        expect("apns-id", answer.headers["apns-id"], identifier)
        expect("body", answer.content, b"")
        single_faults = [
            (405, "MethodNotAllowed", {"method": "PUT"}),
            (403, "MissingProviderToken", {"authorization": None}),
            (403, "InvalidProviderToken", {"authorization": "bearer a.b.c"}),
            (400, "BadMessageId", {"apns_id": "7"}),
            (400, "BadExpirationDate", {"apns_expiration": "soon"}),
            (400, "BadPriority", {"apns_priority": "7"}),
            (400, "BadPriority", {"apns_push_type": "background", "apns_priority": "10"}),
            (400, "InvalidPushType", {"apns_push_type": "shout"}),
            (400, "BadCollapseId", {"apns_collapse_id": "x" * 65}),
            (400, "MissingTopic", {"apns_topic": None}),
            (400, "TopicDisallowed", {"apns_topic": "com.example.other"}),
            (400, "BadTopic", {"apns_topic": topic + ".voip"}),
            (400, "BadDeviceToken", {"device": "xyz"}),
            (400, "MissingDeviceToken", {"device": ""}),
            (404, "BadPath", {"device": "ab/cd"}),
            (413, "PayloadTooLarge", {"body": {"aps": {"alert": "x" * 4096}}}),
        ]
        for status, reason, change in single_faults:
            answer, _ = await push(**change)
            expect(reason, (answer.status_code, answer.json()), (status, {"reason": reason}))
        answer, _ = await push(device=gone)
        expect("410", (answer.status_code, answer.json()),
               (410, {"reason": "Unregistered", "timestamp": 1_700_000_000_000}))
        answers = await asyncio.gather(*(push() for _ in range(100)))
        expect("100 at once", {answer.status_code for answer, _ in answers}, {200})


async def with_aioapns():
    import aioapns
    from aioapns.connection import APNsKeyConnectionPool

    class Pool(APNsKeyConnectionPool):
        """Connects to the simulator and trusts its CA instead of the system's."""
        def __init__(self, *arguments, **keywords):
            super().__init__(*arguments, **keywords)
            self.ssl_context = authority()
            self.ssl_context.set_alpn_protocols(["h2"])

    connections = sys.modules["aioapns.connection"]
    connections.APNsProductionClientProtocol.APNS_SERVER = "localhost"
    connections.APNsBaseClientProtocol.APNS_PORT = int(port)
    connections.APNsProductionClientProtocol.APNS_PORT = int(port)
    sys.modules["aioapns.client"].APNsKeyConnectionPool = Pool
    session = aioapns.APNs(key=open(f"{folder}/key.p8").read(), key_id=key_id, team_id=team_id, topic=topic,
                           use_sandbox=False, max_connections=1)

    async def push(device):
        request = aioapns.NotificationRequest(
            device_token=device, message=payload, push_type=aioapns.PushType.ALERT)
        return await session.send_notification(request)

    expect("first", (await push(good)).status, "200")
    answers = await asyncio.gather(*(push(good) for _ in range(100)))
    expect("100 at once", {answer.status for answer in answers}, {"200"})
    answer = await push(gone)
    expect("410", (answer.status, answer.description), ("410", "Unregistered"))


asyncio.run(with_httpx() if client == "httpx" else with_aioapns())
