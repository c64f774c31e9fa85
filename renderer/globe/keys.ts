import type { CesiumWidget } from '@cesium/engine';

/** Share of the height that one key press moves. */
const step = 0.15;

/** Moves the camera with the arrow keys, + and −. */
export function moveByKeys({ camera, canvas, scene }: CesiumWidget): void {
  canvas.addEventListener('keydown', (event) => {
    const metres = camera.positionCartographic.height * step;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => camera.moveLeft(metres),
      ArrowRight: () => camera.moveRight(metres),
      ArrowUp: () => camera.moveUp(metres),
      ArrowDown: () => camera.moveDown(metres),
      '+': () => camera.zoomIn(metres),
      '-': () => camera.zoomOut(metres),
    };
    const move = moves[event.key];
    // Ctrl and + zooms the page.
    if (!move || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
    scene.requestRender();
  });
}
