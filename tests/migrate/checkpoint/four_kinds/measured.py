"""Program that prints how far the losses of the ports are from those of the Estimators.

    python -m tests.migrate.checkpoint.four_kinds.measured [BACKEND ...]

By default, with each backend that is installed. A number is the largest relative deviation of the
losses in the ten steps after the conversion, and of an evaluation after them.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile

from tests.migrate.checkpoint.four_kinds.settings import BACKENDS, KINDS, conversion
from tests.modern import programs

PACKAGE = "tests.migrate.checkpoint.four_kinds"


def deviation(found, expected):
    """Returns the largest relative deviation."""
    return max(abs(f - e) / abs(e) for f, e in zip(found, expected, strict=True))


def main(backends):
    with tempfile.TemporaryDirectory() as folder:
        expected = programs.printed_by(f"{PACKAGE}.estimators", folder, *KINDS, timeout=1200)
        for kind in KINDS:
            command = [sys.executable, "-m", "migrate", "checkpoint", "convert"]
            subprocess.run([*command, *conversion(folder, kind)], check=True)
        found = {}
        for backend in backends:
            environment = {**os.environ, "KERAS_BACKEND": backend}
            found[backend] = programs.printed_by(
                f"{PACKAGE}.keras3", folder, *KINDS, environment=environment, timeout=1200
            )
    print("kind".ljust(10), *(backend.rjust(12) for backend in backends))
    for kind in KINDS:
        worst = [deviation(found[backend][kind], expected[kind]) for backend in backends]
        print(kind.ljust(10), *(f"{number:12.1e}" for number in worst))


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in BACKENDS if importlib.util.find_spec(name)])
