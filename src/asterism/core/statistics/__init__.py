"""Statistics of series that more than one capability asks for.

series      standard scores, gaps, a common factor
granger     F-tests: does the past of one series help to predict another?
"""
