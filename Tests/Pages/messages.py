"""Reads the keys of the server's messages out of its Swift sources: the sentences that zh-messages.js translates."""

import re

PLACEHOLDER = "{}"
CALLEE = re.compile(r"([\w.]+)\s*$")


def literals(code):
    """Each string literal with the calls around it, innermost last. Literals joined by `+` are one; a value is {}."""
    index, calls, last, end = 0, [], None, 0
    while index < len(code):
        character = code[index]
        if code.startswith("//", index):
            index = find(code, "\n", index)
        elif code.startswith("/*", index):
            index = find(code, "*/", index) + 2
        elif character == '"' or (character == "#" and re.match(r'#+"', code[index:])):
            text, after = read(code, index)
            if last is not None and code[end:index].strip() == "+":
                last[0] += text
            else:
                if last is not None:
                    yield tuple(last)
                last = [text, tuple(calls), index]
            index = end = after
        else:
            if character in "([{":
                callee = CALLEE.search(code, max(0, index - 80), index) if character == "(" else None
                calls.append(callee.group(1) if callee else character)
            elif character in ")]}" and calls:
                calls.pop()
            index += 1
    if last is not None:
        yield tuple(last)


def find(code, text, start):
    index = code.find(text, start)
    return len(code) if index < 0 else index


def read(code, start):
    """The literal that begins at `start` as a key, with {} for each interpolation and other braces doubled, and the index after it."""
    hashes = len(code[start:]) - len(code[start:].lstrip("#"))
    quote = '"""' if code.startswith('"""', start + hashes) else '"'
    index, text, escape = start + hashes + len(quote), "", "\\" + "#" * hashes
    while index < len(code) and not code.startswith(quote + "#" * hashes, index):
        if code.startswith(escape + "(", index):
            index = skip(code, index + len(escape))
            text += PLACEHOLDER
        elif code.startswith(escape, index):
            following = code[index + len(escape)]
            text += {"n": " ", "t": " ", "\n": ""}.get(following, following)
            index += len(escape) + 1
        else:
            text += code[index] * 2 if code[index] in "{}" else code[index]
            index += 1
    if quote == '"""':
        text = re.sub(r"\s+", " ", text).strip()
    return text, index + len(quote) + hashes


def skip(code, start):
    """The index after the parenthesis that begins at `start`."""
    depth, index = 0, start
    while index < len(code):
        if code[index] == '"':
            _, index = read(code, index)
            continue
        depth += {"(": 1, ")": -1}.get(code[index], 0)
        index += 1
        if depth == 0:
            break
    return index


# Places of messages: folders, and files of folders that have little else than SQL.
PLACES = [
    "API", "Application", "HTTPServer/HTTPError.swift", "Campaigns", "Administration", "Notifications", "JSON", "APNS/Advice.swift", "Crypto/CryptoError.swift", "Crypto/PEM.swift", "Crypto/KeyContent.swift", "Crypto/P256Key.swift",
   
 "Dispatcher/Credentials", "Dispatcher/Sending", "Dispatcher/Claiming/SendingLoop.swift", "Dispatcher/Planning/PlanningLoop.swift",
    "Dispatcher/Tagging/TagChangeLoop.swift", "Dispatcher/Transactional/TestPushSender.swift", "Store/Access/AllowedAddresses.swift", "Store/Apps/SigningKey+File.swift", "Store/Audience/AudienceCheck.swift",
    "Store/Runs/RunPauseStore.swift", "Store/Runs/RunTransition.swift", "Store/Campaigns/CampaignStore+Transitions.swift",
]
# Strings that people at the pages never meet: names for the log, files on disk, words in other languages, source code for apps, SQL.
# Then requests that the pages never make: of phones, of servers that send transactional pushes, and to other channels.
ELSEWHERE = [
    # Assistants read English.
    "API/Assistants",
    "API/OpenAPIDocument.swift", "API/Media/MediaContent.swift",
    "API/Response+JSON.swift", "API/Accounts/RefusedSignIns.swift", "Application/Media", "Administration/Access/CommonPasswords.swift",
    "Campaigns/Content/ListFormatting.swift", "Campaigns/Liquid/LiquidDateNames.swift", "Notifications/Categories/CategorySource.swift",
    "Notifications/Categories/CategorySource+Legacy.swift", "Notifications/Categories/SourceLanguages.swift",
    "API/Acknowledgements", "API/CustomEvents", "API/Access/Access.swift", "API/Bodies/QueryValues.swift", "API/Errors/APIError+Access.swift", "API/Errors/APIError+Requests.swift", "API/Errors/APIError+Server.swift",
    "Notifications/Rules/PushRules+LiveActivity.swift", "Notifications/Rules/PushRules+Bodies.swift",
    # Most of these are for programs or for the server's operator.
    "HTTPServer/HTTPError.swift", "Crypto/CryptoError.swift",
    # Sentences about audiences and schedules, for which the pages have sentences of their own; times inside of reasons stay.
    "Campaigns/Audience/Audience+Summary.swift", "Campaigns/Schedule/RecurrenceRule+Summary.swift", "Campaigns/Schedule/Schedule+Summary.swift",
    "Campaigns/Schedule/FrequencyCap.swift", "Campaigns/Audience/AudienceField.swift", "Campaigns/Ledger/Outcome.swift", "Campaigns/Campaign/CampaignState.swift",
]
NEVER_MET = {
    "The prefix must be at most the first {} characters of a key: the rest is secret", "The parameter {} must be a time like 2026-11-21T10:00:00Z",
    "This request must not have a body", "The body must be sent as application/json", "The limit must be a whole number from {} to {}",
    "The state must be one of {}", "The version must be a whole number from 1", "The parameter {} must be true or false", "The format must be csv or ndjson",
    "Too many tokens have moved to other installations from this network", "The app registers too many new installations at the moment",
    "The query parameter activity is required with the kind {}", "The query parameter activity can only be combined with the kind {}",
    "The activity must be at most {} bytes, without U+0000", "The kind must be one of {}", "The outcome must be one of {}",
    "must be liveactivity in a push to a channel, not {}: channels allow no other", "is required in a push to a channel; 0 if the channel does not store messages",
}
# Messages that Crypto, which knows no keys of messages, makes with values that never change.
CONSTANT = {"it is longer than 16384 bytes", "it contains no -----BEGIN PRIVATE KEY----- line"}
# The first words of messages; other literals are parts of messages, SQL, or names.
SENTENCE = re.compile(
    r"^(?:must|is|are|has|have|can't|needs|names|was|never|contains|exceeds|uses|looks|matches|takes|could not|FREQ|BYDAY|BYMONTHDAY|UNTIL|COUNT"
    r"|(?:The|This|There|That|A|An|Another|Only|No|Apple|Somebody|Someone|Too|With|You|Your|Campaigns|Segments|All) [\w“{])[\w' ,“”{}…%.-]* "
    r"|^(?:the|a|an|only|no|unknown|unexpected|expected|duplicate) (?=.* (?:must|is|are|has|have|can|may|needs|follow|takes|of|text)\b)")
LOGGING = re.compile(r"logger|precondition|fatalError|assert|print|prepare|^(?:execute|query|scalar|fetch)")
NAMED = re.compile(r"(\{\{|\}\})|\{(\w+)\}")


def keyed(english):
    """The key of a sentence of the table, without the names of its arguments."""
    return NAMED.sub(lambda match: match.group(1) or PLACEHOLDER, english)


def arguments(sentence):
    return {name for _, name in NAMED.findall(sentence) if name}


def sentences(sources):
    """The keys of the literals in the Swift sources: where they are, and whether they are whole sentences."""
    found = {}
    for place in PLACES:
        path = sources / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.swift")):
            name = str(file.relative_to(sources))
            is_met = not any(name == each or name.startswith(f"{each}/") for each in ELSEWHERE)
            for key, calls, _ in literals(file.read_text(encoding="utf-8")):
                whole = is_met and bool(SENTENCE.search(key)) and not any(LOGGING.search(call) for call in calls)
                if key not in found or whole and not found[key][1]:
                    found[key] = (name, whole)
    return found


def check(sources, table):
    """Messages without a translation, and translations of what the server does not say."""
    found = sentences(sources)
    known = {keyed(english): english for english in table}
    for key, (name, whole) in sorted(found.items(), key=lambda each: each[1]):
        if whole and key not in known and key.rstrip(".") not in NEVER_MET:
            yield f"zh-messages.js has not: {key} ({name})"
    for key, english in known.items():
        if key not in found and key not in CONSTANT:
            yield f"zh-messages.js translates what the server does not say: {english}"
    for english, chinese in table.items():
        if arguments(chinese) - arguments(english):
            yield f"zh-messages.js uses values that are not in the English sentence: {chinese}"
