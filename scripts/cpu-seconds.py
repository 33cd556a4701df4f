#!/usr/bin/env python3
"""Prints the CPU seconds of a command and of all that it starts: python3 scripts/cpu-seconds.py npm test

Wall time depends on what else runs on the machine, CPU time hardly does. PostgreSQL and the browser let go of their
parents, so this process adopts what its children leave behind (Linux only).
"""
import ctypes
import os
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
LEFT_SECONDS_MAX = 10

ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
command = subprocess.Popen(sys.argv[1:])
code = None
# A process that has ended stays visible until it is waited for, and a test may wait for one to be gone.
while code is None:
    ended, status = os.waitpid(-1, 0)
    if ended == command.pid:
        code = command.returncode = os.waitstatus_to_exitcode(status)
until = time.monotonic() + LEFT_SECONDS_MAX
while time.monotonic() < until:
    try:
        if os.waitpid(-1, os.WNOHANG)[0] == 0:
            time.sleep(0.05)
    except ChildProcessError:
        break
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.1f} CPU seconds: {' '.join(sys.argv[1:])}", file=sys.stderr)
sys.exit(code if code >= 0 else 128 - code)
