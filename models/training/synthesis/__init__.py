"""The project's own pictures of boards, made for volume: a pinhole camera over a board with height, drawn
with polygons.

``scene.make(seed)`` gives one picture and its truth, in the form of the rendered scenes' truth.
"""

from models.training.synthesis.scene import Scene, make

__all__ = ["Scene", "make"]
