"""Lets `pip install -e .` work with the configuration in setup.cfg."""

from setuptools import setup

setup()
