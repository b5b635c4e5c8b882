"""How the networks in ``models/`` are made: synthesis of pictures, the cached data, training, evaluation,
export.

Not needed at run time. One command each: ``python -m models.training.data``, ``… .train``, ``…
.evaluate``.
"""
