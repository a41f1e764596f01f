# SPDX-License-Identifier: BSL-1.0
"""Runs a program under limits and measures the CPU time of it and all its children."""

import collections
import os
import signal
import subprocess
import tempfile
import threading

# standard output and error; CPU seconds; exit code, or None if killed
Finished = collections.namedtuple("Finished", "output errors cpu_s code")


running = set()
stopped = threading.Event()


def stop():
    """Kills the running child and prevents further ones."""
    stopped.set()
    for child in list(running):
        kill(child)


def kill(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, wall_limit, cwd=None):
    """Runs a command in its own process group, which is killed as a whole after `wall_limit`
    seconds. There is no limit on CPU time, because Linux then measures it in ticks only."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=errors, cwd=cwd, start_new_session=True)
        running.add(child)
        if stopped.is_set():
            kill(child)
        alarm = threading.Timer(wall_limit, kill, [child])
        alarm.daemon = True
        alarm.start()
        try:
            # The child stays a zombie until the alarm is off, so that its id is not reused.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        except BaseException:
            kill(child)
            raise
        finally:
            alarm.cancel()
            running.discard(child)
            kill(child)  # processes that it left running
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Finished(output.read().decode(errors="replace"),
                        errors.read().decode(errors="replace"),
                        usage.ru_utime + usage.ru_stime,
                        child.returncode if child.returncode >= 0 else None)
