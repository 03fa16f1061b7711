#!/usr/bin/env python3
"""Runs a program in a terminal, closes the terminal once it has drawn something, and fails unless the program ends.

    hang_up.py PROGRAM ARGS...
"""
import os
import pty
import select
import signal
import sys
import time

# In seconds.
PATIENCE = 10

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
if not select.select([terminal], [], [], PATIENCE)[0]:
    os.kill(child, signal.SIGKILL)
    sys.exit("it draws nothing")
time.sleep(1)
os.close(terminal)
end = time.monotonic() + PATIENCE
while os.waitpid(child, os.WNOHANG) == (0, 0):
    if time.monotonic() > end:
        os.kill(child, signal.SIGKILL)
        sys.exit("it goes on without its terminal")
    time.sleep(0.1)
