const calmFrames = 3;

/**
 * Resolves when the fonts are there, and for some frames nothing in the page has changed and nothing moves.
 * Whoever takes pictures asks for it, with reduced motion, since what turns for ever would never settle.
 */
export async function settled(): Promise<void> {
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
