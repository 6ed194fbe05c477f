"""Checks of the pages' files that need no browser: texts and their use, HTML."""

import re
from pathlib import Path

COMMENT = re.compile(r"^\s*(?://|/?\*).*$", re.M)
CALL = re.compile(r"\b(?:t|rich|has)\(\s*")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
HOLE = re.compile(r"\{(\w+)\}")
PLURALS = {"zero", "one", "two", "few", "many", "other"}
CHINESE = re.compile(r"[\u3400-\u9fff]")
# Words that Chinese texts do not use, with those that they use instead: the product's terms, after Apple's documents.
GLOSSARY = {
    "应用(?!户)": "App", "登记": "注册", "影片": "视频", "排定|排程": "定时, 发送计划", "收件人|接收者": "设备", "以此人所见": "预览对象",
    "像隐藏预览时那样": "隐藏预览时的效果", "受影响打开": "间接打开", "更晚的开始": "超时未开始", "手机所在地": "当地时间", "按下按钮": "点按按钮",
    "此人(?!群)": "此用户", "打扰(?:级别|程度)": "中断级别", "点此": "点按此处", "丢弃": "放弃", "(?<!营销)人员": "用户, 成员", "密码地址": "密码链接",
    "载荷": "负载", "凭[据证]": "密钥", "可公开": "公开", "轮换": "更换", "动作": "操作", "这一轮": "轮次", "账号": "账户", "语言区域|区域设置": "语言地区",
    "Key ID": "密钥 ID", "Team ID": "团队 ID", "请填(?!写|入)": "请填写", "只可查看": "可以查看", "重要提醒": "重要警告",
}
# 、 joins nouns. What follows one of these words is a clause of its own.
JOINED_CLAUSE = re.compile(r"、(?:且|不|无法|无声|会|没有|请)")
HAN = r"[\u3400-\u9fff]"
# How Chinese is set, by Apple's and by most houses' rules. A value ({name}) may begin and end with anything.
TYPOGRAPHY = {
    "has half-width punctuation beside a Chinese character": re.compile(rf"{HAN}[,;:!?()]|[,;:!?()]{HAN}"),
    "has no space between Chinese and letters or figures": re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}"),
    "has a space between Chinese characters": re.compile(rf"{HAN} +{HAN}"),
    "has a space beside full-width punctuation": re.compile(r" [，。；：！？、（）“”]|[，。；：！？、（）] |“ | ”"),
    "has a word twice": re.compile(rf"({HAN}{{2,6}}) ?\1"),
    "joins clauses with a word that joins nouns": re.compile(r"[，；]和(?!其)"),
}
# The separator between texts is decided by phrases.js, in each language.
SEPARATORS = {
    "joins texts with a comma": re.compile(r'\.join\("[,;] "\)'),
    "decides what is between sentences": re.compile(r'language === "zh" \? ""'),
    "puts a colon or a comma between texts": re.compile(r"\$\{t\([^`]*?\)\}[:,;] |\}[,;] \$\{|\}: \$\{t\("),
    "begins a text with a space": re.compile(r"` \$\{t\("),
    "lists with a unit, which Chinese writes without a separator": re.compile(r'type: "unit"|, "unit"\)'),
}
# Plain words in an empty field look as if they had been typed; an example says that it is one.
LITERAL_PLACEHOLDER = re.compile(r'\bplaceholder: ["`][^"`]')
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")


def leaves(texts, prefix=""):
    """The texts of a module by key. The forms of a plural are one text."""
    found = {}
    for name, value in texts.items():
        if isinstance(value, str):
            found[prefix + name] = [value]
        elif set(value) <= PLURALS:
            found[prefix + name] = list(value.values())
        else:
            found |= leaves(value, f"{prefix}{name}.")
    return found


def holes(forms):
    return {name for form in forms for name in HOLE.findall(form)}


def compare(english, chinese):
    """Yields the differences between the two languages."""
    english, chinese = leaves(english), leaves(chinese)
    for key in sorted(english.keys() - chinese.keys()):
        yield f"zh.js has no {key}"
    for key in sorted(chinese.keys() - english.keys()):
        yield f"en.js has no {key}"
    for key in sorted(english.keys() & chinese.keys()):
        # A number that is said only by "one" may be absent in the others.
        if holes(english[key]) != holes(chinese[key]):
            yield f"{key} has the values {sorted(holes(english[key]))} in en.js and {sorted(holes(chinese[key]))} in zh.js"
        if english[key] == chinese[key] and WORDS.search(english[key][0]) and not CHINESE.search(chinese[key][0]):
            yield f"{key} is not translated: {chinese[key][0]}"


def check_chinese(texts):
    """Yields the Chinese texts that depart from the glossary. `texts` is an iterable of (key, text)."""
    for key, text in texts:
        for word, instead in GLOSSARY.items():
            if found := re.search(word, text):
                yield f'{key} says "{found[0]}" in Chinese; the glossary has "{instead}"'
        if JOINED_CLAUSE.search(text):
            yield f"{key} joins clauses with 、 in Chinese: {text}"
        for fault, expression in TYPOGRAPHY.items():
            if expression.search(text):
                yield f"{key} {fault}: {text}"


def check_composition(public):
    """Yields the modules that put a separator between texts themselves."""
    for file in sorted((public / "js").rglob("*.js")):
        if "text" in file.parts or file.name == "phrases.js":
            continue
        code = COMMENT.sub("", file.read_text(encoding="utf-8"))
        for fault, expression in SEPARATORS.items():
            if found := expression.search(code):
                yield f"{file.relative_to(public)} {fault}, which phrases.js does: {found[0]}"


def first_argument(code, start):
    """The code of a call's first argument, which begins at `start`."""
    depth, index = 0, start
    while index < len(code):
        character = code[index]
        if character in "\"`":
            index = STRING.match(code, index).end()
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and character == ","):
            break
        index += 1
    return code[start:index]


def used_keys(code):
    """Patterns of the keys that calls of t, rich and has name; `${…}` stands for anything."""
    code = COMMENT.sub("", code)
    for call in CALL.finditer(code):
        argument = first_argument(code, call.end())
        # In `t(a === "b" ? "x.y" : "x.z")` only the answers are keys.
        answers = argument.partition("?")[2] or argument
        for plain, template in STRING.findall(answers):
            key = plain or template
            if "." in key:
                yield "".join(part if index % 2 == 0 else "[^.]+" for index, part in enumerate(
                    re.split(r"(\$\{[^}]*\})", re.escape(key).replace(r"\$\{", "${").replace(r"\}", "}")))), key


def check_use(public, english):
    """Keys that are used and not there. A plural form or a group may be meant as well."""
    known = leaves(english)
    for file in sorted((public / "js").rglob("*.js")):
        if "text" in file.parent.parts:
            continue
        for pattern, key in used_keys(file.read_text(encoding="utf-8")):
            expression = re.compile(pattern)
            if not any(expression.fullmatch(each) for each in known):
                yield f"{file.relative_to(public)} uses the text {key}, which does not exist"


def check_html(public):
    for file in sorted(public.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        name = file.relative_to(public)
        for attribute in re.findall(r"\s(style|on\w+)\s*=", text):
            yield f"{name} has an attribute {attribute}"
        if re.search(r"<style|<script(?![^>]*\ssrc=)", text):
            yield f"{name} has an inline script or style"
        for address in re.findall(r'(?:src|href)="([^"]+)"', text):
            if not address.startswith("/") or not (public / address[1:]).exists():
                yield f"{name} names {address}, which is not a file of the pages"


def check_placeholders(public):
    """Placeholders are texts, so that they say whether they are an example or what an empty field means."""
    for file in sorted((public / "js").rglob("*.js")):
        if file.parent.name != "styles" and "text" not in file.parts and LITERAL_PLACEHOLDER.search(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(public)} has a placeholder that looks like a value: use field.example or fallback()"


def check_files(public: Path, english, chinese, translations):
    texts = [(key, form) for key, forms in leaves(chinese).items() for form in forms]
    texts += [(key, each) for key, each in translations.items() if isinstance(each, str)]
    return [*check_chinese(texts), *check_composition(public), *compare(english, chinese), *check_use(public, english), *check_html(public), *check_placeholders(public)]
