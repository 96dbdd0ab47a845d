"""Readers of diaries: a CSV file, wide or long, becomes values of stars on days; what is wrong is named by its cell."""
