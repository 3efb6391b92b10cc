"""Writes the report of a comparison, as JSON, as a page and as a table.

Files in reading order:
report        builds report.json from the results of the runs
schema        checks a report against its contract
axes          scales the charts of the pages
report_html   renders a report as a self-contained page
report_table  prints a report as a table for the terminal
"""
