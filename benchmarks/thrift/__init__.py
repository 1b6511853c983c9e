"""Figures of thrift that no experiment has: the demo table, a lender, reliability of scores, and time.

figure       a measured number, and what it may be at most
demo         the mean bill on the demo table, over random divisions
lender       customers with losses of their own and columns with prices
reliability  chances that scores say, and how often they come true
speed        CPU seconds of a fit
"""
