"""Files that stories give to the browser, and those that it stores."""

import struct
import zlib


def arrived(browser, path, not_this=None):
    """The text of a file when it is there as a whole. A name that is taken gets a number."""
    def read():
        texts = [each.read_bytes().decode() for each in path.parent.glob(f"{path.stem}*{path.suffix}")]
        return next((text for text in texts if text and text != not_this), None)

    return browser.wait(read, lambda: f"the file {path.name}; there are {sorted(each.name for each in path.parent.iterdir())}")


def png(width, height):
    """A bronze picture."""
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\x8a\x5a\x17" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
