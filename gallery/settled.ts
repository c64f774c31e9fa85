const calmFrames = 3;

/**
 * Resolves when fonts are loaded and nothing in the page has changed or moved for some frames. Use it with
 * reduced motion: an endless animation never settles.
 */
export async function untilSettled(): Promise<void> {
  await document.fonts.ready;
  let calm = 0;
  const observer = new MutationObserver(() => {
    calm = 0;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  while (calm < calmFrames || !document.querySelector('h1')) {
    await new Promise(requestAnimationFrame);
    calm = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : calm + 1;
  }
  observer.disconnect();
}
