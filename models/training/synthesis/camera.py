"""A pinhole camera with a little radial distortion, looking at the board from anywhere above it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Camera:
    """Projects board millimetres (x right, y away, z up, origin at the near left corner of the field) to
    pixels.
    """

    width: int
    height: int
    focal_px: float
    rotation: np.ndarray
    position_mm: np.ndarray
    k1: float = 0.0

    def project(self, points: np.ndarray) -> np.ndarray:
        """(…, 3) millimetres -> (…, 2) pixels, distortion included."""
        xy = self._normalised(points)
        r2 = (xy**2).sum(-1, keepdims=True)
        return xy * (1 + self.k1 * r2) * self.focal_px + self.centre

    def project_straight(self, points: np.ndarray) -> np.ndarray:
        """The same without distortion."""
        return self._normalised(points) * self.focal_px + self.centre

    @property
    def centre(self) -> np.ndarray:
        """The principal point in pixels."""
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def homography(self, z_mm: float) -> np.ndarray:
        """3×3 from (x, y) millimetres on the plane z to undistorted pixels."""
        k = np.diag([self.focal_px, self.focal_px, 1.0])
        k[:2, 2] = self.centre
        offset = self.rotation @ (np.array([0, 0, z_mm]) - self.position_mm)
        return k @ np.column_stack([self.rotation[:, 0], self.rotation[:, 1], offset])

    def _normalised(self, points: np.ndarray) -> np.ndarray:
        seen = (np.asarray(points, float) - self.position_mm) @ self.rotation.T
        return seen[..., :2] / np.maximum(seen[..., 2:], 1.0)

    def undistortion_maps(self) -> tuple[np.ndarray, np.ndarray]:
        """Maps for cv2.remap that bend a straight picture as this lens does."""
        x, y = np.meshgrid(np.arange(self.width, dtype=np.float32), np.arange(self.height, dtype=np.float32))
        u, v = (x - self.centre[0]) / self.focal_px, (y - self.centre[1]) / self.focal_px
        scale = 1 - self.k1 * (u * u + v * v)
        return (
            (u * scale * self.focal_px + self.centre[0]).astype(np.float32),
            (v * scale * self.focal_px + self.centre[1]).astype(np.float32),
        )


def looking(eye: np.ndarray, aim: np.ndarray, up: np.ndarray) -> np.ndarray:
    """World -> camera rotation (x right, y down, z forward)."""
    forward = aim - eye
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, up)
    right = right / np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def place_camera(
    rng: np.random.Generator, size_px: tuple[int, int], box_mm: tuple[float, float, float, float]
) -> Camera:
    """A camera above or beside the board, from any direction, far enough that most of ``box_mm`` is in the
    frame.
    """
    width, height = size_px
    focal = width / 2 / np.tan(np.radians(rng.uniform(38, 82)) / 2)
    x0, y0, x1, y1 = box_mm
    span = max(x1 - x0, y1 - y0)
    aim = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0]) + np.append(rng.normal(0, 0.02 * span, 2), 0)
    tilt = np.radians(rng.uniform(0, 12) if rng.random() < 0.5 else rng.uniform(12, 60))
    azimuth = rng.choice([0, 90, 180, 270]) + rng.normal(0, 18) if rng.random() < 0.8 else rng.uniform(0, 360)
    azimuth = np.radians(azimuth)
    ground = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    away = ground * np.sin(tilt) + np.array([0, 0, np.cos(tilt)])
    up = -ground if tilt > 0.2 else _turned(-ground, rng.normal(0, 0.25))
    corners = np.array([[x, y, 0] for x in (x0, x1) for y in (y0, y1)])
    near, far = 0.3 * span, 8 * span
    margin = rng.uniform(-0.03, 0.12) * width
    for _ in range(22):
        middle = (near + far) / 2
        eye = aim + away * middle
        camera = Camera(width, height, focal, looking(eye, aim, up + np.array([0, 0, 1e-3])), eye)
        if _inside(camera, corners, margin):
            far = middle
        else:
            near = middle
    distance = far * (1 if rng.random() < 0.7 else rng.uniform(1, 1.8))
    eye = aim + away * distance
    k1 = rng.normal(0, 0.05) if rng.random() < 0.3 else 0.0
    return Camera(width, height, focal, looking(eye, aim, up + np.array([0, 0, 1e-3])), eye, k1)


def _turned(vector: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], 0.0])


def _inside(camera: Camera, points: np.ndarray, margin: float) -> bool:
    depth = (points - camera.position_mm) @ camera.rotation.T
    if depth[:, 2].min() < 50:
        return False
    p = camera.project_straight(points)
    low, high = p.min(0), p.max(0)
    return bool((low > margin).all() and high[0] < camera.width - margin and high[1] < camera.height - margin)
