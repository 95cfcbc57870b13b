"""Turns what the service and the analysis know into what the templates print: no rule, no HTML."""
