"""`pincite ask` in a terminal of 80×24: typed, moved, opened (specs/27-ask.md)."""

import os
import sys
import time

import pymupdf
import pytest

from indexes import configure, opened

pyte = pytest.importorskip("pyte")
pty = pytest.importorskip("pty")
if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

WORKS = {
    "Kelp and its hold": "The holdfast grips the rock with a force of ninety newtons, even when storms thin the canopy.",
    "Two summers": "A second holdfast grew beside the first one, on a rock that the urchins had left bare the summer before.",
}


class Terminal:
    """A program in a pseudo-terminal, and the screen that a person would see."""

    def __init__(self, arguments, environment):
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self._process, self._fd = pty.fork()
        if self._process == 0:
            os.execvpe(arguments[0], arguments, environment)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def keys(self, keys):
        os.write(self._fd, keys.encode())

    def until(self, shown, steady=0.0, seconds=60.0):
        """Reads until `shown` (of the screen's text) has held for `steady` seconds; the text."""
        import select

        began = time.monotonic()
        since = began
        while not shown(self.text) or time.monotonic() - since < steady:
            assert time.monotonic() - began < seconds, self.text
            if select.select([self._fd], [], [], 0.1)[0]:
                self._stream.feed(os.read(self._fd, 65536))
            if not shown(self.text):
                since = time.monotonic()
        return self.text

    @property
    def text(self):
        return "\n".join(self.screen.display)

    def wait(self, seconds=60.0):
        """The exit code."""
        import select

        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            done, status = os.waitpid(self._process, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            try:
                if select.select([self._fd], [], [], 0.05)[0]:
                    os.read(self._fd, 65536)
            except OSError:
                pass
        raise AssertionError("it does not end")

    def kill(self):
        try:
            os.kill(self._process, 9)
            os.waitpid(self._process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self._fd)


@pytest.fixture
def terminal(tmp_path):
    """Over an index that is complete."""
    terminal = Terminal(*asking(tmp_path))
    yield terminal
    terminal.kill()


@pytest.fixture
def unread_terminal(tmp_path):
    """Over an index whose run ended before any file was read: works are known by their titles."""
    library = tmp_path / "works.bib"
    entries = [f"@book{{{title[:4]}, title={{{title}}}, file={{library/{name(title)}}}}}\n" for title in WORKS]
    library.write_text("".join(entries), "utf-8")
    terminal = Terminal(*asking(tmp_path, library, seconds=0, embed=False))
    yield terminal
    terminal.kill()


def name(title):
    return f"{title.split()[0].lower()}.pdf"


def asking(tmp_path, library=None, **run):
    """Two PDFs in a folder, which is the library unless another is given, indexed, and how `pincite ask` is started over it."""
    folder = tmp_path / "library"
    folder.mkdir()
    library = library or folder
    for title, text in WORKS.items():
        document = pymupdf.open()
        document.new_page()
        document.new_page().insert_textbox(pymupdf.Rect(72, 72, 520, 300), text, fontsize=12)
        document.set_metadata({"title": title})
        document.save(folder / name(title))
    script = tmp_path / "viewer.py"
    script.write_text(
        f"import sys, pathlib; pathlib.Path({str(tmp_path / 'seen')!r}).write_text(' '.join(sys.argv[1:]))"
    )
    config = configure(tmp_path / "config", '[picker]\nuse = "lexical"\n')
    config.write_text(
        f"viewer = '''{sys.executable} {script} {{page}} {{path}}'''\n" + config.read_text("utf-8"), "utf-8"
    )
    with opened(library, config) as made:
        made.index(**run)
    environment = dict(os.environ) | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    arguments = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "ask",
        "--library",
        str(library),
        "--config",
        str(config),
        "-e",
        "lexical",
    ]
    return arguments, environment


def test_typed_moved_opened(terminal, tmp_path):
    terminal.until(lambda text: "Search library" in text)
    terminal.keys("holdf")
    terminal.until(lambda text: "Kelp and its hold" in text and "Two summers" in text)
    terminal.keys("ast rock")
    shown = terminal.until(lambda text: "holdfast rock" in text and complete(text), steady=0.5)
    assert shown.count("p. 2") == 2
    assert "nothing matches well" not in shown
    lower = max(WORKS, key=shown.index)
    terminal.keys("\x1b[B")  # down: the next passage
    terminal.until(lambda text: WORKS[lower][:30] in chosen(text))
    terminal.keys("\r")
    terminal.until(lambda text: "opened file://" in text)
    seen = tmp_path / "seen"
    for _ in range(1200):
        if seen.exists() and seen.read_text():
            break
        time.sleep(0.05)
    assert seen.read_text() == f"2 {tmp_path / 'library' / name(lower)}"
    terminal.keys("\x14")  # Ctrl+T
    terminal.until(lambda text: ", p. 2]" in text)
    terminal.keys(
        "hult\x7f\x7f\x7fld\x1b[D\x1b[Do"
    )  # as they come from a quick hand: three Backspaces, twice to the left
    terminal.until(lambda text: "holdfast rockhold" in text)
    terminal.keys("\x15\x1b[200~\nKelp and its\r\n  hold -urchins\x1b[201~")  # Ctrl+U, pasted
    shown = terminal.until(lambda text: "Kelp and its hold -urchins" in text and "1 work" in text)
    assert "without urchins" in shown
    terminal.keys("\x1b")
    assert terminal.wait() == 0


def test_a_file_that_is_not_indexed_yet_is_quoted_once_it_is_read(unread_terminal, tmp_path):
    terminal = unread_terminal
    terminal.until(lambda text: "Search works.bib" in text)
    terminal.keys("kelp newtons ")
    shown = terminal.until(lambda text: "not indexed yet  " in text and "ninety newtons" in text)
    assert "p. 2" in shown
    terminal.keys("\r")
    terminal.until(lambda text: "opened file://" in text)
    terminal.keys("\x1b")
    assert terminal.wait() == 0


def complete(text):
    """Whether the answer is there, both works and the passage of the first."""
    there = "2 works" in text and all(title in text for title in WORKS)
    return there and WORKS[min(WORKS, key=text.index)][:30] in chosen(text)


def chosen(text):
    """The passage below the list."""
    return " ".join(line.strip() for line in text.splitlines()[17:23]).strip()


def test_without_a_terminal_it_says_so(tmp_path):
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "pincite.cli.main", "ask", "--library", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert done.stderr.count("\n") == 1
