"""Rules for the names of variables and of optimizer slots.

Files in reading order:
mapping  pairs the variables of two programs, and reads and writes map files
names    decides which names of variables mean the same
slots    translates the names and values of optimizer slots
"""
