"""A small program before and after `migrate rewrite --to=legacy`."""

import pytest

from migrate.__main__ import main

OLD = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
NEW = (
    "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nx = tf.placeholder(tf.float32)\n"
)


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.py"
    path.write_text(OLD)
    return path


def rewrite(*arguments):
    return main(["rewrite", *map(str, arguments)])
