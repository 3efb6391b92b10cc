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
_SMALL = 1000  # of so many lines, the small data set has one.
_FAKE = [
    (1, "Acme", "Acme makes anvils."),
    (2, "Jane Doe", "Jane Doe painted ships."),
    (3, "The Herald", "The Herald was a daily paper."),
]


def maybe_download_dbpedia(data_dir: str) -> None:
    """Downloads and unpacks the data set, unless it is there.

    Args:
      data_dir: Its folder; `dbpedia_csv/train.csv` and `test.csv` come to lie in it.
    """
    paths = [os.path.join(data_dir, _FOLDER, name) for name in ("train.csv", "test.csv")]
    if all(tf.io.gfile.exists(path) for path in paths):
        return
    archive = base.maybe_download("dbpedia_csv.tar.gz", data_dir, DBPEDIA_URL)
    with tarfile.open(archive) as packed:
        packed.extractall(data_dir, filter="data")


def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> base.Datasets:
    """Reads the data set.

    Args:
      size: "small" takes each thousandth line; anything else takes all.
      test_with_fake_data: Read nothing, and return three lines for training and one for testing.

    Returns:
      `train` and `test`, each with `data` of [examples, 2] (title and text) and `target`, int32 of
      [examples] from 1; `validation` is None. The files are looked for in `dbpedia_data`, in the
      folder that the environment's TF_EXP_BASE_DIR names, and downloaded where they are not there.
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
