"""Frames in: a video file, a recorded folder, a live camera. The only place that touches cameras."""

from companion.camera.sources import open_source

__all__ = ["open_source"]
