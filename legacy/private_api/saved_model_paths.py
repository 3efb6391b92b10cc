"""Paths of a SavedModel's files, as TensorFlow's private `saved_model.utils_impl` returned them.

>>> get_variables_path("/export/1")
'/export/1/variables/variables'
"""

from __future__ import annotations

import os

import tensorflow as tf


def get_variables_dir(export_dir: str | bytes) -> str:
    """Returns the folder of the variables.

    Args:
      export_dir: Folder of the SavedModel.
    """
    return os.path.join(tf.compat.as_text(export_dir), tf.saved_model.VARIABLES_DIRECTORY)


def get_variables_path(export_dir: str | bytes) -> str:
    """Returns the path of the variables, as a checkpoint prefix without suffix.

    Args:
      export_dir: Folder of the SavedModel.
    """
    return os.path.join(get_variables_dir(export_dir), tf.saved_model.VARIABLES_FILENAME)


def get_assets_dir(export_dir: str | bytes) -> str:
    """Returns the folder of the assets.

    Args:
      export_dir: Folder of the SavedModel.
    """
    return os.path.join(tf.compat.as_text(export_dir), tf.saved_model.ASSETS_DIRECTORY)
