"""Tests for downloads by Keras: the error without a network, and the lock between tasks."""

import fcntl
import os
import pathlib
import threading
import urllib.request

import pytest

from modern.data import cifar10, download, mnist
from modern.data.arrays import DataError


@pytest.mark.parametrize("reader", [mnist, cifar10])
def test_no_network(reader, unreachable):
    name = reader.__name__.rpartition(".")[2]
    with pytest.raises(DataError, match=f"'{name}': the download failed .*--data_dir") as caught:
        reader.load()
    assert "URL fetch failure" in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.fixture
def unreachable(tmp_path, monkeypatch):
    """Directs the download to a port without a listener, and its cache to an empty folder."""
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")
    # The cached opener keeps the proxies of its first use.
    monkeypatch.setattr(urllib.request, "_opener", None)


def test_one_task_at_a_time():
    inside, descriptor = threading.Event(), os.open(pathlib.Path(download.__file__).parent, 0)

    def enter():
        with download.one_at_a_time():
            inside.set()

    task = threading.Thread(target=enter)
    try:
        # flock locks an open file, not a process, so that it blocks a thread of this process, too.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        task.start()
        assert not inside.wait(0.2)
    finally:
        os.close(descriptor)
    assert inside.wait(10)
    task.join()
