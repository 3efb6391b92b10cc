"""UCI's Adult: census data of 1994, labelled by an income of more than 50,000 a year.

    people = load("/data/adult")    # a folder with adult.data and adult.test

The files come from the UCI Machine Learning Repository (Kohavi, 1996). `modern.data.clicks`
generates data in the same columns, so that one model takes both.
"""

from __future__ import annotations

import csv
import io
import os
import pathlib
from collections.abc import Iterator

import numpy as np

from modern.data import files
from modern.data.arrays import ArrayDataset, DataError

_LONGEST = 100  # Characters of a field. The longest of Adult has 26.
TRAIN_FILE, TEST_FILE = "adult.data", "adult.test"

# As in adult.names. The last one is the label.
_FILE_COLUMNS = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education_num",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "gender",
    "capital_gain",
    "capital_loss",
    "hours_per_week",
    "native_country",
    "income_bracket",
)
NUMERIC = ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week")
TEXT = (
    "workclass",
    "education",
    "marital_status",
    "occupation",
    "relationship",
    "native_country",
)
# All values of the text columns that have few. The census also has "?" for an unknown value.
VOCABULARIES = {
    "workclass": (
        *("Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov", "Local-gov", "State-gov"),
        *("Without-pay", "Never-worked"),
    ),
    "education": (
        *("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad"),
        *("Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school"),
        "Doctorate",
    ),
    "marital_status": (
        *("Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed"),
        *("Married-spouse-absent", "Married-AF-spouse"),
    ),
    "relationship": (
        "Wife",
        "Own-child",
        "Husband",
        "Not-in-family",
        "Other-relative",
        "Unmarried",
    ),
}


def load(data_dir: str | None) -> ArrayDataset:
    """Reads adult.data and adult.test.

    Args:
      data_dir: The folder that has both files.

    Returns:
      The data set, named adult: features a dict of arrays (N,), float32 for those in `NUMERIC` and
      bytes for those in `TEXT` ("?" where the census has no answer), labels float32 (N, 1), 1 for
      more than 50,000.

    Raises:
      DataError: The folder or a file is missing, or a line does not have Adult's format.
    """
    if not data_dir:
        raise DataError(
            f"--dataset=adult needs --data_dir: a folder with {TRAIN_FILE} and {TEST_FILE}, from "
            'the UCI Machine Learning Repository ("Adult"). --dataset=clicks needs no files'
        )
    return ArrayDataset(
        "adult",
        *_read(os.path.join(data_dir, TRAIN_FILE)),
        *_read(os.path.join(data_dir, TEST_FILE)),
    )


def _read(path: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Returns the features and labels of one file."""
    content = files.read_bytes(pathlib.Path(path))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise files.damage_error(path, f"line {line} is not text") from error
    rows = [_checked_row(row, path, n) for n, row in _rows(text, path) if row]
    if not rows:
        raise DataError(f"{path}: found no example")
    columns = dict(zip(_FILE_COLUMNS, zip(*rows, strict=True), strict=True))
    features = {name: np.array([*map(float, columns[name])], np.float32) for name in NUMERIC}
    features |= {name: np.array([text.encode() for text in columns[name]]) for name in TEXT}
    # The test file's labels end in a full stop.
    labels = np.array([[label.startswith(">50K")] for label in columns["income_bracket"]])
    return features, labels.astype(np.float32)


def _rows(text: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the number of each line, from 1, and its fields. A line without example has none."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for number, row in enumerate(reader, 1):
            is_example = row and not row[0].startswith("|")
            yield number, [field.strip() for field in row] if is_example else []
    except csv.Error as error:
        raise files.damage_error(path, f"line {reader.line_num}: {error}") from error


def _checked_row(row: list[str], path: str, line: int) -> list[str]:
    if len(row) != len(_FILE_COLUMNS):
        raise DataError(
            f"{path}, line {line}: found {len(row)} fields, expected the {len(_FILE_COLUMNS)} of "
            "Adult. Is this the file of another data set?"
        )
    for name in NUMERIC:
        field = row[_FILE_COLUMNS.index(name)]
        if not _is_number(field):
            raise DataError(
                f"{path}, line {line}: {name} is {field[:_LONGEST]!r}, expected a number"
            )
    if row[-1].rstrip(".") not in (">50K", "<=50K"):
        raise DataError(
            f"{path}, line {line}: the label is {row[-1][:_LONGEST]!r}, expected >50K or <=50K"
        )
    # NumPy stores each text of a column with the length of the longest.
    long_field = next((field for field in row if len(field) > _LONGEST), None)
    if long_field:
        raise DataError(
            f"{path}, line {line}: {long_field[:20]!r}... has {len(long_field)} characters"
        )
    return row


def _is_number(field: str) -> bool:
    """Returns whether a field is a number that float32 can store."""
    try:
        return abs(float(field)) <= float(np.finfo(np.float32).max)
    except ValueError:
        return False
