"""Imports TensorFlow, computes, and prints the memory of the libraries' files as JSON.

python -m tests.modern.process.released_pages          # as a task does
python -m tests.modern.process.released_pages planted  # without releasing pages
"""

import json
import re
import sys

from modern.process import library_pages, quiet_import


def file_mb():
    """Returns the MB of this process that are pages of files."""
    with open("/proc/self/status") as status:
        return int(re.search(r"RssFile:\s+(\d+)", status.read())[1]) / 1e3


def peak_mb():
    """Returns the peak memory of this process in MB."""
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1e3


def written_kb(ranges):
    """Returns the KB in ranges of addresses that this process has written to."""
    total, is_inside = 0, False
    with open("/proc/self/smaps") as smaps:
        for line in smaps:
            if head := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
                start, end = (int(address, 16) for address in head.groups())
                is_inside = any(first <= start and end <= last for first, last in ranges)
            elif is_inside and line.startswith("Anonymous:"):
                total += int(line.split()[1])
    return total


def read_only():
    """Returns all read-only parts of libraries, including those that the loader has written to."""
    with open("/proc/self/maps") as maps:
        lines = [line.split() for line in maps if ".so" in line and " r--p " in line]
    return [tuple(int(address, 16) for address in line[0].split("-")) for line in lines]


if __name__ == "__main__":
    if "planted" in sys.argv:
        library_pages.release = lambda: None
    quiet_import.import_tensorflow()
    import tensorflow as tf

    facts = {"imported_mb": file_mb(), "peak_mb": peak_mb()}
    product = tf.matmul(tf.ones([3, 2]), tf.ones([2, 3]))
    facts["written_kb"] = written_kb([*library_pages._code()])
    facts["written_elsewhere_kb"] = written_kb(read_only())
    library_pages.release()
    facts["sum"] = float(tf.reduce_sum(product + 1.0))
    releases = []
    library_pages.release = lambda: releases.append(1)
    quiet_import.import_tensorflow()
    facts["releases_of_a_second_import"] = len(releases)
    print(json.dumps(facts))
