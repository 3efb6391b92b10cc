"""Flags of an app that are defined only during a test."""

import contextlib

from absl import flags


@contextlib.contextmanager
def parsed(define, *arguments):
    """Defines an app's flags, parses arguments and yields the names. Removes the flags later."""
    before = set(flags.FLAGS)
    try:
        define()
        names = set(flags.FLAGS) - before
        flags.FLAGS(["test", *arguments])
        yield names
    finally:
        for name in set(flags.FLAGS) - before:
            delattr(flags.FLAGS, name)
        flags.FLAGS.unparse_flags()
