#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Starts a program as several processes that find each other over TCP on this machine.

    tests/processes.py COUNT PROGRAM [ARGUMENT…]

Each has its number in WF_RANK and the addresses of all in WF_PEERS. Succeeds if all of them do;
when one fails, or after two minutes, the others are killed.
"""

import os
import random
import socket
import subprocess
import sys
import time

LONGEST = 110  # seconds


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_addresses(count):
    """Addresses whose ports are free, and the next ones, too. They lie below those that the system
    gives to connections, so that a process that is started again finds its own."""
    ports = []
    while len(ports) < count:
        port = 2 * random.randrange(6_000, 16_000)
        if port not in ports and is_free(port) and is_free(port + 1):
            ports.append(port)
    return [f"127.0.0.1:{port}" for port in ports]


def start(command, rank, addresses, **options):
    """Starts one of the processes."""
    names = {"WF_RANK": str(rank), "WF_PEERS": ",".join(addresses)}
    return subprocess.Popen(command, env={**os.environ, **names}, **options)


def wait(processes, seconds):
    """Waits for all; true if all have succeeded. Kills those that are left when one has failed, or
    when it takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        codes = [process.poll() for process in processes]
        if all(code == 0 for code in codes):
            return True
        if any(code not in (None, 0) for code in codes):
            print(f"the processes end with {codes}", flush=True)
            time.sleep(1)  # others may say what is wrong
            break
        time.sleep(0.02)
    else:
        print(f"the processes do not come to their end in {seconds} seconds", flush=True)
    for process in processes:
        process.kill()
        process.wait()
    return False


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    addresses = free_addresses(int(sys.argv[1]))
    processes = [start(sys.argv[2:], rank, addresses) for rank in range(len(addresses))]
    sys.exit(not wait(processes, LONGEST))


if __name__ == "__main__":
    main()
