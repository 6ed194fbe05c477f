"""A `belfry` process with a temporary database on a free port, which serves the pages of this checkout."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
STOP_SECONDS = 15


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def temporary_folder():
    """In the shared temporary directory, because PostgreSQL's user must be able to access it."""
    folder = tempfile.mkdtemp(prefix="belfry-pages-", dir="/tmp")
    os.chmod(folder, 0o711)
    return Path(folder)


def read(file):
    file.seek(0)
    return file.read()


class Server:
    """`belfry demo` or `belfry serve`. `link` is the one-time address that it prints when it is ready."""

    def __init__(self, belfry, *arguments):
        self.belfry = belfry
        self.folder = temporary_folder()
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.state = ["--state", str(self.folder / "var")]
        self.output = open(self.folder / "output", "w+", encoding="utf-8")
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [belfry, *arguments, "--port", str(self.port), "--log-level", "error", *self.state],
            cwd=ROOT, stdout=self.output, stderr=self.log,
        )
        try:
            self.link = self.read_link()
            self.wait(self.listens, "does not listen")
        except BaseException:
            self.stop()
            raise

    def read_link(self):
        found = self.wait(lambda: re.search(r"#[a-z-]+=\S+(?=\n)", read(self.output)), "did not start")
        return f"{self.url}/{found[0]}"

    def listens(self):
        """`belfry serve` prints its address before it listens."""
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def wait(self, condition, failure):
        end = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            if result := condition():
                return result
            time.sleep(0.05)
        raise RuntimeError(f"The server {failure}:\n{self.errors()}")

    def create_key(self):
        made = subprocess.run(
            [self.belfry, "key", "create", "--name", "check", "--log-level", "error", *self.state],
            cwd=ROOT, check=True, capture_output=True, text=True,
        )
        return next(word for word in made.stdout.split() if word.startswith("bfs_"))

    def errors(self):
        return read(self.log)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
