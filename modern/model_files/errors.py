"""The error of files that cannot be used. This module imports no TensorFlow."""


class CheckpointError(ValueError):
    """A checkpoint is missing, unreadable or does not fit. The message tells how to correct it."""
