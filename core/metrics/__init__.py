"""One file a metric, found by discovery.

A metric is a small dataclass with an `id`, what it `needs`, and one method `score`
over the findings of a sample. It never calls a model: findings are made once, by
`core/run/sample.py`, and shared by all metrics.
"""
