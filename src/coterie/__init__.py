"""Coterie finds the groups of features that act together."""
