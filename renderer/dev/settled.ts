const calmFrames = 3;

/** Resolves when the fonts are there and nothing in the page has changed for some frames. Whoever takes pictures asks for it. */
export async function settled(): Promise<void> {
  await document.fonts.ready;
  let calm = 0;
  const observer = new MutationObserver(() => {
    calm = 0;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  while (calm < calmFrames || !document.querySelector('h1')) {
    await new Promise(requestAnimationFrame);
    calm += 1;
  }
  observer.disconnect();
}
