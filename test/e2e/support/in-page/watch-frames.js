/* Runs within the page: see ../watch-frames.ts. */

/** @param {{ frames: number, names: string[] }} wanted */
async function watchFrames({ frames, names }) {
  let box = document.querySelector('[role=list][aria-label="Uploads"]');
  while (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY !== 'auto')
    box = box.parentElement;
  const messages = {};
  const stops = names.map((name) =>
    window.tilelift.on(name, () => {
      messages[name] = (messages[name] ?? 0) + 1;
    }),
  );
  const longTasks = [];
  let longestScript = 0;
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      if (entry.entryType === 'longtask') longTasks.push(entry.duration);
      else for (const { duration } of entry.scripts) longestScript = Math.max(longestScript, duration);
    }
  });
  observer.observe({ type: 'longtask' });
  observer.observe({ type: 'long-animation-frame' });
  const nextFrame = () => new Promise(requestAnimationFrame);
  const began = performance.now();
  const gaps = [];
  let last = await nextFrame();
  let mostRows = 0;
  let travelled = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const before = box.scrollTop;
    box.scrollTop += Math.floor(frame / 150) % 2 === 0 ? 90 : -90;
    travelled += Math.abs(box.scrollTop - before);
    const now = await nextFrame();
    gaps.push(now - last);
    last = now;
    mostRows = Math.max(mostRows, document.querySelectorAll('[data-testid=job]').length);
  }
  observer.disconnect();
  for (const stop of stops) stop();
  return { gaps, longTasks, longestScript, messages, mostRows, travelled, ms: performance.now() - began };
}
