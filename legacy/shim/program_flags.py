"""Makes today's absl flags as tolerant as tf.flags was, for an old program.

    from absl import flags as absl_flags

    from legacy.shim import program_flags

    program_flags.complete(absl_flags.FLAGS)

Call it once per process, before the program defines its flags.
"""

from __future__ import annotations

import sys

from absl import flags as absl_flags

_LIBRARIES = ("absl", "tensorflow", "tf_keras")


def complete(values: absl_flags.FlagValues) -> None:
    """Adds TensorFlow 1.4's methods to FLAGS, and lets a program redefine the flags of libraries.

    A program's own `log_dir` or `verbosity` replaces absl's flag, which was not loaded then. A flag
    that the program itself defines twice remains an error.

    Args:
      values: The process's FLAGS.
    """
    for module, module_flags in values.flags_by_module_dict().items():
        if module.partition(".")[0] in _LIBRARIES:
            for flag in module_flags:
                flag.allow_override = True

    def parse_flags(args: list[str] | None = None) -> list[str]:
        """Parses the command line. Returns the arguments that are not flags of the program."""
        arguments = sys.argv[1:] if args is None else list(args)
        return values([sys.argv[0], *arguments], known_only=True)[1:]

    vars(values).setdefault("_parse_flags", parse_flags)
