"""The fonts of the check's browsers: always the same, whatever the machine has. Scripts/bootstrap installs their packages."""

from pathlib import Path

FONTS = Path("/usr/share/fonts/truetype")
FILES = {
    "fonts-dejavu-core": [
        f"dejavu/DejaVu{name}.ttf" for name in ("Sans", "Sans-Bold", "Serif", "Serif-Bold", "SansMono", "SansMono-Bold")],
    "fonts-wqy-microhei": ["wqy/wqy-microhei.ttc"],
}
# Nothing of /etc/fonts is read: it names the machine's default fonts.
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}/files</dir>
  <cachedir>{folder}/cache</cachedir>
  <match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
  <match target="pattern"><edit name="family" mode="append_last"><string>WenQuanYi Micro Hei</string></edit></match>
  {aliases}
</fontconfig>
"""
ALIASES = {"sans-serif": "DejaVu Sans", "system-ui": "DejaVu Sans", "serif": "DejaVu Serif", "monospace": "DejaVu Sans Mono"}
ALIAS = '<alias binding="same"><family>{generic}</family><prefer><family>{name}</family></prefer></alias>'


def configure(folder: Path):
    """Writes a configuration of fontconfig into the folder. Returns the environment that makes a program use it."""
    files = folder / "files"
    files.mkdir(parents=True)
    for package, names in FILES.items():
        for name in names:
            if not (FONTS / name).exists():
                raise RuntimeError(f"The font {FONTS / name} is missing. Install {package}, or run Scripts/bootstrap test.")
            (files / Path(name).name).symlink_to(FONTS / name)
    aliases = "\n  ".join(ALIAS.format(generic=generic, name=name) for generic, name in ALIASES.items())
    file = folder / "fonts.conf"
    file.write_text(CONFIGURATION.format(folder=folder, aliases=aliases), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(file)}
