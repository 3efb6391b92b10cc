"""Tests of the check that TensorFlow and tf_keras have compatible versions."""

import importlib.metadata

import pytest

from modern.process import versions


@pytest.mark.parametrize("version", ["2.16.1", "2.21.0", "2.22.0-rc1", "2.22.0-dev2026", "2.21rc1"])
def test_the_same_minor_passes(version):
    versions.check_match(version, version)


def test_another_patch_passes():
    versions.check_match("2.21.0", "2.21.3")


@pytest.mark.parametrize(
    ("tensorflow", "keras", "words"),
    [
        ("2.21.0", "2.20.0", ["tensorflow 2.21.0", "tf-keras 2.20.0", "'tf-keras==2.21.*'"]),
        ("2.16.0", "2.21.0", ["'tf-keras==2.16.*'"]),
        ("2.15.1", "2.15.0", ["TensorFlow 2.15.1", "2.16 or later"]),
        ("2.2.0", "2.2.0", ["2.16 or later"]),
    ],
)
def test_others_are_one_clear_error(tensorflow, keras, words):
    with pytest.raises(versions.VersionError) as caught:
        versions.check_match(tensorflow, keras)
    for word in [*words, "pip install"]:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_installed_are_reported():
    found = versions.installed()
    assert set(found) == {"python", "tensorflow", "tf_keras", "toolkit"}
    assert found["tf_keras"] == importlib.metadata.version("tf-keras")
    versions.check_installed()


def test_both_versions_of_keras_are_reported_on_request():
    found = versions.installed(keras=(2, 3))
    assert set(found) == {"python", "tensorflow", "tf_keras", "keras", "toolkit"}
    assert found["keras"] == importlib.metadata.version("keras")


def test_a_missing_package_is_named():
    with pytest.raises(ImportError, match="no-such-package is not installed.*pip install"):
        versions._version_of("no-such-package")


@pytest.mark.parametrize("version", ["nightly", "2", "2.x"])
def test_a_version_without_a_minor_is_one_clear_error(version):
    with pytest.raises(versions.VersionError, match=f"'{version}' is not a version"):
        versions.check_match(version, "2.21.0")
