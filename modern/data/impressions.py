"""A generated log of ad impressions with 26 columns of ids, whose true click rates are known.

>>> log = impressions(seed=0)
>>> len(log.train_features), log.train_features["id_00"].dtype, log.train_labels.shape
(26, dtype('int64'), (65536, 1))
>>> 0.78 < log.best["auc"] < 0.82
True

Real ad logs have such columns, for example an advertiser, a page and a device. A few ids are in
most rows, and most ids are in a few rows (Zipf's law). The log-odds of a click are a sum of
effects: each frequent id has one.
"""

from __future__ import annotations

import numpy as np

from modern.data.arrays import ArrayDataset
from modern.data.clicks import auc

# Two digits, because `input_layer` of an Estimator sorts its columns by name.
COLUMNS = tuple(f"id_{index:02}" for index in range(26))
_EXPONENT = 1.2  # Of Zipf's law. The first three ids are in 30 % of all rows.
_LARGEST = 10_000_000
_FREQUENT = 100  # Ids with an effect.
_TRUTH_SEED = 20130703  # The effects are the same for every seed of the examples.


def impressions(seed: int = 0, *, train_size: int = 65_536, test_size: int = 8192) -> ArrayDataset:
    """Draws impressions and their clicks.

    Args:
      seed: The seed of the ids and the clicks.
      train_size: The number of examples for training.
      test_size: The number of examples for evaluation.

    Returns:
      The data set, named impressions: features a dict of COLUMNS, each (N,) int64 from 1, and
      labels float32 (N, 1), 1 for a click. `best` has the AUC of the true rates on the test labels.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    train, test = (_ids(rng, size) for size in (train_size, test_size))
    rates = [1 / (1 + np.exp(-_log_odds(ids))) for ids in (train, test)]
    labels = [(rng.random(len(rate)) < rate).astype(np.float32)[:, None] for rate in rates]
    return ArrayDataset(
        "impressions",
        _columns(train),
        labels[0],
        _columns(test),
        labels[1],
        best={"auc": auc(rates[1], labels[1][:, 0])},
    )


def _ids(rng: np.random.Generator, size: int) -> np.ndarray:
    return np.minimum(rng.zipf(_EXPONENT, [size, len(COLUMNS)]), _LARGEST).astype(np.int64)


def _log_odds(ids: np.ndarray) -> np.ndarray:
    truth = np.random.Generator(np.random.PCG64(_TRUTH_SEED))
    effects = 0.35 * truth.standard_normal([len(COLUMNS), _FREQUENT + 1])
    effects[:, _FREQUENT] = 0.0  # All other ids.
    places = np.minimum(ids - 1, _FREQUENT)
    return -2.2 + effects[np.arange(len(COLUMNS)), places].sum(axis=1)


def _columns(ids: np.ndarray) -> dict[str, np.ndarray]:
    return {name: np.ascontiguousarray(ids[:, index]) for index, name in enumerate(COLUMNS)}
