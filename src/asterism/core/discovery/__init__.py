"""Discovery: who drives whom in a matrix of series (spec 01, D11; docs/causality.md).

event_lags  the seed's lags between large changes      delayed     parents through delay profiles
curved      products of series                         instant     ties within a step
detectors   the four detectors, one form of answer

diary       diaries: what was tested of every pair and what came of it (spec 08, E14, E15)
cleaning    weekday rhythm, trend and own memory       aligned     correlations with a lead, over days both have
thirds      pairs related only through others          forecast    does one forecast unseen days of the other?
"""
