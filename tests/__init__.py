"""The tests; helpers that several of them share are in ``tests.support``."""
