# SPDX-License-Identifier: BSL-1.0
"""Workers (worker.hpp) that take turns in solving the same problem."""

import os
import pathlib
import statistics
import subprocess
import tempfile

import expected

# In CPU seconds: a worker has no further turns once its own took this long together.
ENOUGH = 60
# Runs of a turn, unless the caller wants more; their median counts.
RUNS = 3
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


class Worker:
    """A process that holds the facts of a problem; `failure` says what went wrong, if anything."""

    def __init__(self, name, command, program):
        self.name, self.failure = name, None
        self.program = program
        self.solved, self.listed, self.facts = [], [], set()
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([*command, program, self.folder.name], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **ONE_THREAD})
        self.expect("ready")

    def reply(self):
        """The next line; empty, with a failure, if the process has ended."""
        line = self.process.stdout.readline().strip()
        if not line:
            self.failure = self.failure or f"it ended with {self.process.wait()}"
        return line

    def expect(self, word):
        if self.failure is None and self.reply() != word:
            self.failure = self.failure or f"it does not say '{word}'"

    def tell(self, words):
        try:
            print(words, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            self.failure = self.failure or f"it ended with {self.process.wait()}"

    def turn(self, runs):
        """Solves the problem so many times, unless it has taken long enough."""
        if self.failure or runs * sum(self.listed) > ENOUGH:
            return
        self.tell(f"run {runs}")
        if line := self.reply():
            solved, listed, facts = line.split()
            self.solved.append(float(solved))
            self.listed.append(float(listed))
            self.facts.add(int(facts))

    def finish(self):
        """Checks the last answer, and ends the process."""
        if self.failure is None:
            self.tell("answer")
            self.expect("written")
        self.failure = self.failure or expected.check(self.program, pathlib.Path(self.folder.name),
                                                      self.facts)
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def medians(self):
        """CPU seconds until the results are there, and until their facts are listed."""
        return statistics.median(self.solved), statistics.median(self.listed)


def compare(program, commands, rounds, runs=RUNS):
    """The workers with these commands, by name, after so many rounds in which each has a turn of so
    many runs."""
    workers = [Worker(name, command, program) for name, command in commands.items()]
    for _ in range(rounds):
        for worker in workers:
            worker.turn(runs)
    for worker in workers:
        worker.finish()
    return workers
