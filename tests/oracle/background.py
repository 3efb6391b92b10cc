"""Runs the oracle's programs on our packages while the tests of clusters run.

    observation = background.Observation({"v2": ["linear_regression"]})
    facts = observation.facts()["v2"]["linear_regression"]
    observation.close()

The tests of clusters wait for sockets and leave a quarter of two cores idle. The programs run at
the lowest priority, so that they use only this idle time.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]


class Observation:
    """Runs the programs of each API in its own process, because v1 behavior is process-wide."""

    def __init__(self, programs):
        """Starts the processes.

        Args:
          programs: Names of the programs to run, by API.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="oracle_")
        self._processes = {api: self._start(api, names) for api, names in programs.items()}

    def _start(self, api, names):
        command = ["nice", "-n", "19", sys.executable, "-m", "tests.oracle.observe", f"--api={api}"]
        with open(self._file(api, "log"), "w") as log:
            return subprocess.Popen(
                [*command, "--engine=ours", f"--output={self._file(api, 'json')}", *names],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _file(self, api, kind):
        return pathlib.Path(self._folder.name, f"{api}.{kind}")

    def facts(self):
        """Waits for all programs and returns their facts by API and program."""
        codes = {api: process.wait() for api, process in self._processes.items()}
        for api, code in codes.items():
            assert code == 0, f"{api}: exit code {code}\n{self._file(api, 'log').read_text()}"
        return {api: json.loads(self._file(api, "json").read_text()) for api in codes}

    def close(self):
        """Kills the processes that still run and removes their files."""
        for process in self._processes.values():
            process.kill()
            process.wait()
        self._folder.cleanup()
