"""Runs a module in a task that waits only four seconds for the other tasks of its cluster.

python impatient.py modern.train --strategy=multi_worker_mirrored ...
"""

import runpy
import sys

if __name__ == "__main__":
    from modern.process import quiet_import

    quiet_import.import_tensorflow()
    from modern.cluster import gathering

    gathering.LIMIT_S = 4.0
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
