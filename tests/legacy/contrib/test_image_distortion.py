"""Tests of the colors of images. The oracle compares more numbers."""

import numpy as np
import pytest

from legacy.contrib import image_distortion

COLORS = np.float32([[1.0, 0.5, 0.0], [0.2, 0.2, 0.2]])
LUMA = COLORS @ [0.299, 0.587, 0.114]


def test_the_value_scales_all_colors():
    found = image_distortion.adjust_hsv_in_yiq(COLORS, scale_value=0.5)
    np.testing.assert_allclose(found, COLORS / 2, atol=1e-5)


@pytest.mark.parametrize("hue", [0.0, 1.0])
def test_without_saturation_only_the_luma_is_left(hue):
    found = image_distortion.adjust_hsv_in_yiq(COLORS, hue, scale_saturation=0.0)
    np.testing.assert_allclose(found, np.repeat(LUMA[:, None], 3, 1), atol=2e-3)


def test_half_a_turn_inverts_the_colors_and_keeps_the_luma():
    found = image_distortion.adjust_hsv_in_yiq(COLORS, np.pi)
    np.testing.assert_allclose(found, 2 * LUMA[:, None] - COLORS, atol=4e-3)


def test_bounds():
    same = image_distortion.random_hsv_in_yiq(COLORS, 0, 1, 1, 2, 2)
    np.testing.assert_allclose(same, 2 * COLORS, atol=1e-5)
    with pytest.raises(ValueError, match="max_delta must be non-negative"):
        image_distortion.random_hsv_in_yiq(COLORS, -1)
    with pytest.raises(ValueError, match="lower_saturation must be < upper_saturation"):
        image_distortion.random_hsv_in_yiq(COLORS, 0, 2, 1)
