"""DBpedia: titles and texts of encyclopedia entries, in 14 classes.

data = load_dbpedia(size="small")
data.train.data.shape, data.train.target.shape  # ((560, 2), (560,))
"""

from __future__ import annotations

import os
import tarfile

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.datasets import base

DBPEDIA_URL = "https://github.com/le-scientifique/torchDatasets/raw/master/dbpedia_csv.tar.gz"
_FOLDER = "dbpedia_csv"
_SMALL = 1000  # The small dataset has one of this many lines.
_FAKE = [
    (1, "Acme", "Acme makes anvils."),
    (2, "Jane Doe", "Jane Doe painted ships."),
    (3, "The Herald", "The Herald was a daily paper."),
]


def maybe_download_dbpedia(data_dir: str) -> None:
    """Downloads and unpacks the dataset, unless it exists.

    Args:
      data_dir: Folder in which `dbpedia_csv/train.csv` and `dbpedia_csv/test.csv` are created.
    """
    paths = [os.path.join(data_dir, _FOLDER, name) for name in ("train.csv", "test.csv")]
    if all(tf.io.gfile.exists(path) for path in paths):
        return
    archive = base.maybe_download("dbpedia_csv.tar.gz", data_dir, DBPEDIA_URL)
    with tarfile.open(archive) as archive_file:
        archive_file.extractall(data_dir, filter="data")  # Refuses paths outside of the folder.


def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> base.Datasets:
    """Reads the dataset.

    The files are in `dbpedia_data`, in the folder that the environment variable TF_EXP_BASE_DIR
    names. Missing files are downloaded.

    Args:
      size: "small" reads every 1000th line. Any other value reads all lines.
      test_with_fake_data: If true, reads nothing, and returns three lines for training and one for
        testing.

    Returns:
      `train` and `test`, each with `data` of shape [examples, 2] (title and text) and `target`,
      int32 of shape [examples], counted from 1. `validation` is None.
    """
    if test_with_fake_data:
        parts = [
            base.Dataset(
                data=np.array([row[1:] for row in rows]),
                target=np.array([row[0] for row in rows], np.int32),
            )
            for rows in (_FAKE, _FAKE[1:2])
        ]
    else:
        data_dir = os.path.join(os.getenv("TF_EXP_BASE_DIR", ""), "dbpedia_data")
        maybe_download_dbpedia(data_dir)
        parts = [
            base.load_csv_without_header(
                os.path.join(data_dir, _FOLDER, name), np.int32, np.str_, target_column=0
            )
            for name in ("train.csv", "test.csv")
        ]
        if size == "small":
            parts = [base.Dataset(part.data[::_SMALL], part.target[::_SMALL]) for part in parts]
    return base.Datasets(train=parts[0], validation=None, test=parts[1])


__getattr__ = _missing.attribute_of("learn.datasets.text_datasets")
