"""Prints the private names that are not the same objects as public ones, as JSON.

A program of TensorFlow 1. The test gives it the file with those that were the same in 1.15.
"""

import importlib
import json
import sys

import tensorflow as tf


def find(path):
    found = tf
    for name in path.split(".")[1:]:
        found = getattr(found, name, None)
    return found


def differences(identities):
    for path, names in identities.items():
        try:
            module = importlib.import_module(path)
        except ImportError:
            yield path
            continue
        for name, public in names.items():
            value = find(public)
            if value is not None and getattr(module, name, None) is not value:
                yield path + "." + name


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(json.dumps(list(differences(json.load(file)))))
