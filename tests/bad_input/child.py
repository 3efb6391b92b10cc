"""Runs mutations under limits of time and memory, and writes the outcome of each as a line of JSON.

python -m tests.bad_input.child plain|tensorflow SEED COUNT OUTPUT [READER NUMBER]

The first argument selects the readers: those that need TensorFlow, or the others. With READER and
NUMBER, it begins after that mutation. If the process ends early, the last line names the mutation
that ended it.
"""

import json
import pathlib
import random
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings

from modern.process import foreign_files, quiet_import
from tests.bad_input import readers

SECONDS = 30
MEMORY = 3 << 30
_LONGEST = 5000


def run(read, reader, seed, number, folder):
    """Runs one mutation. Returns its outcome: "read", "refused", or the text of a finding."""
    rng = random.Random(f"{seed}-{reader}-{number}")
    try:
        code, message = read(rng, folder)
    except readers.EXPECTED as error:
        code, message = 2, foreign_files.printable(str(error))  # As the commands print it.
    except BaseException:
        return traceback.format_exc()
    if code == 0:
        return "read"
    message = message.strip()
    lines = message.split("\n")
    if reader == "manifest":  # A file can have several jobs, each with its line.
        lines = [line for line in lines if line.startswith("migrate cluster: ")]
        if code == 1 or (lines and "Traceback" not in message):
            return "refused"
    if code != 2 or len(lines) != 1 or not message or len(message) > _LONGEST:
        return f"exit code {code}, and the message {message[-3000:]!r}"
    return "refused"


def main(all_readers, seed, count, output, after):
    """Runs `count` mutations for each reader."""
    warnings.simplefilter("error")
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    started = after is None
    with open(output, "a", buffering=1) as file:
        for reader, read in all_readers.items():
            for number in range(count):
                if not started:
                    started = [reader, str(number)] == after
                    continue
                folder = pathlib.Path(tempfile.mkdtemp(prefix="bad-input-"))
                file.write(json.dumps([reader, number, "began"]) + "\n")
                signal.alarm(SECONDS)
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                outcome = run(read, reader, seed, number, folder)
                signal.alarm(0)
                grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
                if grown > 1 << 20:  # KiB
                    outcome = f"took {grown >> 10} MiB"
                file.write(json.dumps([reader, number, outcome]) + "\n")
                shutil.rmtree(folder, ignore_errors=True)


def limit_memory():
    """Lets the process grow by `MEMORY`, after TensorFlow has reserved its address space."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(group, *arguments):
    """Runs the readers of a group."""
    if group == "plain":
        limit_memory()
        main(readers.READERS, *arguments)
        return
    quiet_import.import_tensorflow()
    from tests.bad_input import checkpoint_readers

    try:
        checkpoint_readers.checkpoints()
        limit_memory()
        main(checkpoint_readers.READERS, *arguments)
    finally:
        shutil.rmtree(checkpoint_readers.checkpoints())


if __name__ == "__main__":
    start(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:7] or None)
