"""Tests of the forecast, with figures that are computed by hand.

Files in reading order:
examples  a network and costs with round figures
"""
