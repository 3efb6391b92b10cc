"""Generated images of ten classes, in any shape, which a model can learn.

>>> images = load((28, 28), seed=0, train_size=100, test_size=10)
>>> images.train_features.shape, sorted(images.test_labels.tolist())
((100, 28, 28), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
"""

from __future__ import annotations

import numpy as np

from modern.data import images
from modern.data.arrays import CLASSES, ArrayDataset, DataError

_COARSE = 7  # A template has 7×7 random patches, which survive a convolution.
_TEMPLATE = (96, 160)
_NOISE = 96  # Keeps every pixel within 0 to 255.


def load(
    image_shape: tuple[int, ...], *, seed: int, train_size: int = 8192, test_size: int = 1024
) -> ArrayDataset:
    """Generates images: a smooth random template for each class, plus uniform noise in each pixel.

    Args:
      image_shape: (height, width) or (height, width, channels), at least 8×8. From that size
        on, no two images can be expected to have the same noise.
      seed: The seed of templates, noise and order.
      train_size: The number of images for training.
      test_size: The number of images for evaluation.

    Returns:
      The data set: features uint8 (N, *image_shape), labels int64 (N,), the classes in equal parts.

    Raises:
      DataError: The images are smaller than 8×8.
    """
    height, width = image_shape[:2]
    if min(height, width) < 8:
        raise DataError(f"image_shape {image_shape}: synthetic images are at least 8×8")
    rng = np.random.Generator(np.random.PCG64(seed))
    channels = image_shape[2] if len(image_shape) == 3 else 1
    coarse = rng.uniform(*_TEMPLATE, size=(CLASSES * channels, _COARSE, _COARSE))
    smooth = images.resize(coarse, (height, width)).reshape(CLASSES, channels, height, width)
    templates = np.moveaxis(smooth, 1, -1).reshape(CLASSES, *image_shape).astype(np.int16)

    def split(size: int) -> tuple[np.ndarray, np.ndarray]:
        labels = rng.permutation(np.arange(size, dtype=np.int64) % CLASSES)
        noise = rng.integers(-_NOISE, _NOISE, (size, *image_shape), np.int16)
        return (templates[labels] + noise).astype(np.uint8), labels

    return ArrayDataset("synthetic", *split(train_size), *split(test_size))
