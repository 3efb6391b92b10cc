"""Without TensorFlow: prints how Python runs it, as JSON, and ends with exit code 7."""

import json
import multiprocessing
import os
import pickle
import subprocess
import sys


class Point:
    x = 3


def where(point):
    return [point.x, type(point).__module__, "ESTIMATOR_LADDER_AT_START" in os.environ]


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        spawned = pool.apply(where, [Point()])
    child = [sys.executable, "-c", "import sys; print(type(sys.meta_path[0]).__name__)"]
    facts = {
        "argv": sys.argv,
        "path": sys.path[0],
        "file": __file__,
        "main": [__name__, __package__, repr(__spec__), sys.modules["__main__"].Point is Point],
        "pickled": pickle.loads(pickle.dumps(Point())).x,
        "spawned": spawned,
        "child": subprocess.run(child, capture_output=True, text=True, check=True).stdout.strip(),
        "tensorflow": "tensorflow" in sys.modules,
    }
    print(json.dumps(facts))
    sys.exit(7)
