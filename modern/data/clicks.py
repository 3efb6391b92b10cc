"""A generated click log in Adult's columns, whose true click probabilities are known.

>>> log = clicks(seed=0)
>>> sorted(log.train_features)[:3], log.train_labels.shape
(['age', 'capital_gain', 'capital_loss'], (262144, 1))
>>> 0.80 < log.best["auc"] < 0.84
True

Each row is a visitor, and the label is 1 for a click. The log-odds are a sum of effects of each
value and of each pair of education and occupation. Only a model with crosses, or with a deep part,
can learn the effects of the pairs. Like ids in real logs, occupations have many values of very
different frequencies. No model can rank the visitors better than the true probabilities do: their
AUC is the Bayes-optimal one.
"""

from __future__ import annotations

import numpy as np

from modern.data import adult
from modern.data.arrays import ArrayDataset

VALUES = {name: len(values) for name, values in adult.VOCABULARIES.items()}
OCCUPATIONS = 2000
COUNTRIES = 100
_TRUTH_SEED = 20160629  # The effects are the same for every seed of the examples.


def clicks(seed: int = 0, *, train_size: int = 262_144, test_size: int = 16_384) -> ArrayDataset:
    """Draws visitors and their clicks.

    Args:
      seed: The seed of the visitors and the clicks.
      train_size: The number of examples for training.
      test_size: The number of examples for evaluation.

    Returns:
      The data set, named clicks: features and labels as in `adult.load`. `best` has the AUC of the
      true probabilities on the test labels.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    train, test = (_visitors(rng, size) for size in (train_size, test_size))
    probabilities = [1 / (1 + np.exp(-_log_odds(visitors))) for visitors in (train, test)]
    labels = [(rng.random(len(p)) < p).astype(np.float32)[:, None] for p in probabilities]
    return ArrayDataset(
        "clicks",
        _columns(train),
        labels[0],
        _columns(test),
        labels[1],
        best={"auc": auc(probabilities[1], labels[1][:, 0])},
    )


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """Returns the area under the ROC curve: how often a positive example outranks a negative one.

    Args:
      scores: (N,) floats. Equal ones count half.
      labels: (N,) of 0 and 1, with both in it.

    Returns:
      The area, 0 to 1 (Mann and Whitney's U, divided by the number of pairs).
    """
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positives = int(labels.sum())
    negatives = len(labels) - positives
    u = ranks[labels > 0].sum() - positives * (positives + 1) / 2
    return float(u / (positives * negatives))


def _visitors(rng: np.random.Generator, size: int) -> dict[str, np.ndarray]:
    """Draws the columns: numbers as values, texts as indices."""
    columns = {
        "age": np.clip(rng.gamma(7.5, 5.2, size), 17, 90).astype(np.float32),
        "education_num": rng.integers(1, 17, size).astype(np.float32),
        "capital_gain": np.where(rng.random(size) < 0.08, rng.gamma(2, 4000, size), 0),
        "capital_loss": np.where(rng.random(size) < 0.05, rng.gamma(20, 90, size), 0),
        "hours_per_week": np.clip(rng.normal(40, 12, size), 1, 99).astype(np.float32),
        "occupation": _uneven(rng, OCCUPATIONS, size),
        "native_country": _uneven(rng, COUNTRIES, size),
    }
    columns |= {name: rng.integers(0, count, size) for name, count in VALUES.items()}
    columns["education"] = columns["education_num"].astype(np.int64) - 1  # As in the census.
    return columns


def _uneven(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    """Draws indices with frequencies proportional to 1 / (rank + 10)."""
    weights = 1 / (np.arange(count) + 10)
    return rng.choice(count, size, p=weights / weights.sum())


def _log_odds(visitors: dict[str, np.ndarray]) -> np.ndarray:
    truth = np.random.Generator(np.random.PCG64(_TRUTH_SEED))

    def effect(name: str, count: int, scale: float) -> np.ndarray:
        return (scale * truth.standard_normal(count))[visitors[name]]

    total = -1.7 - ((visitors["age"] - 45) / 18) ** 2 + 0.03 * (visitors["hours_per_week"] - 40)
    total += 1.2 * (visitors["capital_gain"] > 0) + 0.6 * (visitors["capital_loss"] > 0)
    for name, count in VALUES.items():
        total += effect(name, count, 0.4)
    total += effect("occupation", OCCUPATIONS, 0.8) + effect("native_country", COUNTRIES, 0.4)
    # Pairs: twenty groups of occupations, each of which suits some educations.
    pairs = 0.8 * truth.standard_normal((VALUES["education"], 20))
    return total + pairs[visitors["education"], visitors["occupation"] % 20]


def _columns(visitors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns the columns with texts in the place of indices."""
    columns = {name: visitors[name].astype(np.float32) for name in adult.NUMERIC}
    for name in adult.TEXT:
        vocabulary = [f"{name}-{index}" for index in range(max(OCCUPATIONS, COUNTRIES))]
        texts = np.array(adult.VOCABULARIES.get(name, vocabulary), np.bytes_)
        columns[name] = texts[visitors[name]]
    return columns
