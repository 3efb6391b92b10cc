"""Compares the facts of two runs of one program.

python -m tests.oracle.compare recorded.json seen.json
"""

import json
import pathlib
import sys

RELATIVE = 1e-5
ABSOLUTE = 1e-6


def differences(expected, found, path=""):
    """Returns a line for each difference between two nested JSON values.

    Numbers agree to 1e-5 relative or 1e-6 absolute. All other values must be equal. Facts under a
    key that ends in "~" are for readers and are not compared.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        lines = []
        for key in sorted(set(expected) | set(found)):
            where = "{}/{}".format(path, key)
            if key.endswith("~"):
                continue
            if key not in found:
                lines.append("{}: missing; was {!r}".format(where, expected[key]))
            elif key not in expected:
                lines.append("{}: not in the original; is {!r}".format(where, found[key]))
            else:
                lines += differences(expected[key], found[key], where)
        return lines
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for i, (e, f) in enumerate(zip(expected, found))
            for line in differences(e, f, "{}[{}]".format(path, i))
        ]
    if _is_number(expected) and _is_number(found):
        if expected != expected and found != found:
            return []  # Both NaN.
        if abs(expected - found) <= ABSOLUTE + RELATIVE * abs(expected):
            return []
    elif expected == found:
        return []
    return ["{}: was {!r}, is {!r}".format(path, expected, found)]


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def main(argv):
    """Prints the differences between two files. Returns 1 if they differ, else 0."""
    lines = differences(*(json.loads(pathlib.Path(path).read_text()) for path in argv[1:3]))
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
