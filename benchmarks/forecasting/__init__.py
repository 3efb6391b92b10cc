"""Forecasts the speed of the ways on another network from the report of a comparison.

Files in reading order:
network      reads the rate and the latency of a network
calibration  reads the costs of each way from report.json
step_times   computes the time of a step from the costs and the network
advice       computes numbers of parameter servers and gains
forecast     collects what a forecast tells
page         renders a forecast as a page
"""
