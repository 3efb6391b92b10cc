"""The flags of an old program: what tf.flags tolerated, on today's absl.

Once per process, before the program defines its flags:

from absl import flags as absl_flags

from legacy.shim import program_flags

flags.complete(absl_flags.FLAGS)
"""

from __future__ import annotations

import sys

from absl import flags as absl_flags

_LIBRARIES = ("absl", "tensorflow", "tf_keras")


def complete(values: absl_flags.FlagValues) -> None:
    """Gives FLAGS what TensorFlow 1.4's had, and lets a program define what libraries define.

    A program's own `log_dir` or `verbosity` takes the place of absl's, which was not loaded then;
    a flag that the program itself defines twice stays the error that it was.

    Args:
      values: The process's FLAGS.
    """
    for module, defined in values.flags_by_module_dict().items():
        if module.partition(".")[0] in _LIBRARIES:
            for flag in defined:
                flag.allow_override = True

    def parse_flags(args: list[str] | None = None) -> list[str]:
        """Parses the command line; returns what is not a flag of the program."""
        arguments = sys.argv[1:] if args is None else list(args)
        return values([sys.argv[0], *arguments], known_only=True)[1:]

    vars(values).setdefault("_parse_flags", parse_flags)
