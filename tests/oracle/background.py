"""What ours does in the oracle's programs, found out beside the tests that wait for clusters.

    observation = background.Observation({"v2": ["linear_regression"]})
    facts = observation.facts()["v2"]["linear_regression"]
    observation.close()

The tests of clusters leave a quarter of two cores idle, waiting for sockets. The programs take that
quarter at the lowest priority, so that they take nothing else.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]


class Observation:
    """Runs each API's programs in a process of its own, as v1 is for a whole one."""

    def __init__(self, programs):
        """Starts them.

        Args:
          programs: By API, the names of its programs.
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
        """Waits until all are done; returns by API, then by program, what was seen."""
        codes = {api: process.wait() for api, process in self._processes.items()}
        for api, code in codes.items():
            assert code == 0, f"{api}: exit code {code}\n{self._file(api, 'log').read_text()}"
        return {api: json.loads(self._file(api, "json").read_text()) for api in codes}

    def close(self):
        """Ends what still runs and removes what was written."""
        for process in self._processes.values():
            process.kill()
            process.wait()
        self._folder.cleanup()
