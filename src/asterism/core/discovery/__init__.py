"""Discovery: who drives whom in a matrix of series (spec 01, D11; docs/causality.md).

event_lags  the seed's lags between large changes      delayed     parents through delay profiles
curved      products of series                         instant     ties within a step
detectors   the four detectors, one form of answer
"""
