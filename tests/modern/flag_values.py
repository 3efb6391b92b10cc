"""Flags of an app, defined for the length of a test."""

import contextlib

from absl import flags


@contextlib.contextmanager
def parsed(define, *arguments):
    """Defines an app's flags, parses arguments; gives the names, and forgets all afterwards."""
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
