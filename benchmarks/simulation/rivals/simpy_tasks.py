# SPDX-License-Identifier: BSL-1.0
"""The FIFO model of benchmarks/simulation/speed.hpp in SimPy: a host runs one task at a time and
sends its results over one link, one after the other. Usage: simpy_tasks.py WORKLOAD"""

import sys
import time

import simpy

LATENCY, TICKS_PER_BYTE = 50_000, 8


def read(path):
    """Hosts, tasks (host, work) and the messages of each task (receiver, bytes)."""
    with open(path, encoding="ascii") as file:
        hosts, tasks, edges = map(int, file.readline().split())
        work = [tuple(map(int, file.readline().split())) for _ in range(tasks)]
        out = [[] for _ in range(tasks)]
        missing = [0] * tasks
        for _ in range(edges):
            source, target, size = map(int, file.readline().split())
            out[source].append((target, size))
            missing[target] += 1
    return hosts, work, out, missing


def main():
    hosts, work, out, missing = read(sys.argv[1])
    begin = time.process_time()
    env = simpy.Environment()
    host = [simpy.Resource(env, 1) for _ in range(hosts)]
    link = [simpy.Resource(env, 1) for _ in range(hosts)]
    ends = []

    def arrive(task):
        missing[task] -= 1
        if missing[task] == 0:
            env.process(run(task))

    def send(source, target, size):
        with link[source].request() as turn:
            yield turn
            yield env.timeout(size * TICKS_PER_BYTE)
        yield env.timeout(LATENCY)
        arrive(target)

    def run(task):
        place, ticks = work[task]
        with host[place].request() as turn:
            yield turn
            yield env.timeout(ticks)
        ends.append(env.now)
        for target, size in out[task]:
            if work[target][0] == place:
                arrive(target)
            else:
                env.process(send(place, target, size))

    for task in range(len(work)):
        if missing[task] == 0:
            env.process(run(task))
    env.run()
    seconds = time.process_time() - begin
    print(f"MEASURED model=fifo by=simpy version={simpy.__version__} tasks={len(work)} "
          f"seconds={seconds:.5f} tasks_per_s={len(work) / seconds:.0f} "
          f"makespan_s={max(ends) * 1e-9:.9f}")


if __name__ == "__main__":
    main()
