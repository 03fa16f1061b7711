#!/usr/bin/env python3
"""Types a line, the Tab key, Enter and `exit` into an interactive shell on a terminal, whose prompt must say READY.

    complete.py LINE SHELL ARGS...
"""
import os
import pty
import select
import signal
import sys
import time

# A shell that writes nothing for this long, in seconds, waits for input.
QUIET = 0.5
# In seconds.
PATIENCE = 20


def read(terminal, until):
    """Reads what the shell writes until it ends, or `until` is true of the text and the seconds of quiet."""
    begun = last = time.monotonic()
    text = b""
    while time.monotonic() - begun < PATIENCE:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                return text
            if not chunk:
                return text
            text += chunk
            last = time.monotonic()
            # Newer versions of fish ask what terminal this is, and wait for the answer.
            if b"\x1b[c" in chunk or b"\x1b[0c" in chunk:
                os.write(terminal, b"\x1b[?62;c")
        elif until(text, time.monotonic() - last):
            return text
    return text


def main():
    line, shell = sys.argv[1], sys.argv[2:]
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(shell[0], shell)
    said = read(terminal, lambda text, quiet: b"READY" in text and quiet > QUIET)
    os.write(terminal, line.encode() + b"\t")
    said += read(terminal, lambda _, quiet: quiet > QUIET)
    # What is typed while the shell is busy waits for it.
    os.write(terminal, b"\rexit\r")
    said += read(terminal, lambda *_: False)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    sys.stdout.buffer.write(said)


main()
