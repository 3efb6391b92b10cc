"""Tests that pools are written, read, and found by the setting that they were recorded in."""

import dataclasses

import pytest

from benchmarks import pool as pools
from benchmarks import ways

SETTING = ways.Setting(job="linear_regression", steps=7)


@pytest.fixture
def pool():
    result = {
        "seed": 3,
        "eval": {"loss": 0.123456789},
        "loss_curve": [[64.0, 1.23456789], [128.0, 0.5]],
        "examples": {"worker-0": 128},
    }
    equal = {"single": [pools.run_of(result)]}
    return pools.Pool(pools.setting_of(SETTING), {"cores": 2}, {"python": "3"}, equal, {})


def test_it_reads_back_as_it_was_written(pool, tmp_path):
    pools.write(pool, tmp_path / "pool.json.gz")
    assert pools.read(tmp_path / "pool.json.gz") == pool
    assert pool.equal["single"][0] == {
        "seed": 3,
        "eval": {"loss": 0.12346},
        "loss_curve": [[64, 1.23457], [128, 0.5]],
    }


def test_the_same_pool_makes_the_same_file(pool, tmp_path):
    pools.write(pool, tmp_path / "a")
    pools.write(pool, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_pool_is_found_by_its_setting_alone(pool, tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "FOLDER", tmp_path)
    assert pools.find(SETTING) is None
    pools.write(pool, tmp_path / "linear_regression.json.gz")
    assert pools.find(SETTING) == pool
    assert pools.find(dataclasses.replace(SETTING, max_seeds=40)) == pool
    assert pools.find(dataclasses.replace(SETTING, steps=8)) is None
    assert pools.find(dataclasses.replace(SETTING, learning_rate=0.5)) is None
