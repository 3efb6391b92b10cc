"""Generated points on a known line, the data of the smallest job.

>>> import numpy as np
>>> points = regression(seed=0)
>>> error = points.test_labels - (points.test_features @ WEIGHTS + BIAS)
>>> bool(abs(np.std(error) - NOISE) < 0.01)
True
"""

from __future__ import annotations

import numpy as np

from modern.data.arrays import ArrayDataset

WEIGHTS = np.array([[0.5, -1.0, 1.5, -2.0, 2.5, -0.25, 0.75, -1.25, 1.75, -2.25]], np.float32).T
BIAS = np.float32(0.3)
NOISE = 0.1  # Standard deviation of the noise in the labels.


def regression(seed: int = 0, *, train_size: int = 4096, test_size: int = 512) -> ArrayDataset:
    """Draws y = x · WEIGHTS + BIAS + noise, with x from the standard normal distribution.

    Args:
      seed: The seed of x and the noise.
      train_size: The number of points for training.
      test_size: The number of points for evaluation.

    Returns:
      The data set, named synthetic: features float32 (N, 10), labels float32 (N, 1). The smallest
      mean squared error that a model can expect on it is NOISE², 0.01.
    """
    rng = np.random.Generator(np.random.PCG64(seed))

    def split(size: int) -> tuple[np.ndarray, np.ndarray]:
        features = rng.standard_normal((size, len(WEIGHTS)), np.float32)
        noise = np.float32(NOISE) * rng.standard_normal((size, 1), np.float32)
        return features, features @ WEIGHTS + BIAS + noise

    return ArrayDataset("synthetic", *split(train_size), *split(test_size))
