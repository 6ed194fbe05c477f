"""Checks which modules of the pages import which; Scripts/checks/javascript runs it.

Modules don't import in circles, and neither do folders: below a folder are only folders that do not need it. The modules of
Public/js itself are not counted with folders: some are needed by all, and some start all.
"""

import re
import sys
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
COMMENT = re.compile(r"^\s*(?://|/?\*).*$", re.M)
STATIC = re.compile(r'(?:^|\s)(?:import|export)\s[^;"]*?from\s*"([^"]+)"|^import\s*"([^"]+)"', re.M)
# Modules that are loaded later. A name begins with a folder at least: the loader itself imports what its callers name.
LATER = re.compile(r"\b(import|loadModule)\(\s*[\"`]((?:\./)?[^\"`$]+[^\"`]*)[\"`]")
PRELOAD = re.compile(r'rel="modulepreload" href="/js/([^"]+)"')


class Module:
    """The modules that a module imports: `needed` before it can run, `later` on demand. Names are paths below Public/js."""

    def __init__(self, folder, file):
        self.name = str(file.relative_to(folder))
        code = COMMENT.sub("", file.read_text(encoding="utf-8"))
        self.needed = [resolved(folder, file.parent / (static or bare)) for static, bare in STATIC.findall(code)]
        self.later = [each for call, name in LATER.findall(code)
                      for each in matching(folder, (file.parent if call == "import" else folder) / name)]

    @property
    def folder(self):
        return self.name.rpartition("/")[0].partition("/")[0]


def resolved(folder, path):
    path = path.resolve()
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)


def matching(folder, path):
    """The modules that `path` can name: a value in it stands for anything."""
    name = resolved(folder, path)
    if "${" not in name:
        return [name]
    return [str(each.relative_to(folder)) for each in folder.glob(re.sub(r"\$\{[^}]*\}", "*", name))]


def circle(graph):
    """One circle as a list of names that ends with the first one, or None. `graph` has the names that each name leads to."""
    left = dict(graph)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    if not left:
        return None
    path = [min(left)]
    while (following := min(left[path[-1]] & left.keys())) not in path:
        path.append(following)
    return [*path[path.index(following):], following]


def check_modules(modules):
    """A circle of modules, also of those that are loaded later."""
    found = circle({module.name: {*module.needed, *module.later} for module in modules})
    if found:
        yield f"Modules import in a circle: {' → '.join(found)}. Move what they share to a module that imports none of them."


def check_folders(modules):
    """A circle of folders, with an import for each step."""
    imports = {}
    for module in modules:
        for name in (*module.needed, *module.later):
            target = name.rpartition("/")[0].partition("/")[0]
            if module.folder and target and module.folder != target:
                imports.setdefault(module.folder, {}).setdefault(target, f"{module.name} imports {name}")
    found = circle({folder: set(targets) for folder, targets in imports.items()})
    if found:
        steps = "".join(f"\n  {imports[one][other]}" for one, other in zip(found, found[1:]))
        yield f"Folders import in a circle: {' → '.join(found)}. Move what they share to a folder that imports none of them.{steps}"


def check_names(modules, folder):
    """Imports of what does not exist, or from elsewhere."""
    for module in modules:
        for name in (*module.needed, *module.later):
            if not (folder / name).is_file() or name.startswith("/"):
                yield f"{module.name} imports {name}, which is not a module below Public/js"


def check_preloads(modules, index):
    """index.html asks for all modules of the first page in parallel; each level of imports would cost a round trip."""
    by_name = {module.name: module for module in modules}
    needed, left = set(), ["main.js"]
    while left:
        for name in by_name[left.pop()].needed:
            if name not in needed:
                needed.add(name)
                left.append(name)
    named = set(PRELOAD.findall(index))
    for name in sorted(needed - named):
        yield f"index.html does not preload {name}"
    for name in sorted(named - needed):
        yield f"index.html preloads {name}, which main.js does not need"


def check(public):
    folder = public / "js"
    modules = [Module(folder, file) for file in sorted(folder.rglob("*.js"))]
    findings = list(check_names(modules, folder))
    if not findings:
        index = (public / "index.html").read_text(encoding="utf-8")
        findings = [*check_modules(modules), *check_folders(modules), *check_preloads(modules, index)]
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{len(modules)} modules in {len({module.folder for module in modules} - {''})} folders, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(check(PUBLIC))
