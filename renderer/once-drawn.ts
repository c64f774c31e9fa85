/**
 * Calls back once something new that can be read is on the window: Chromium says when it has made a picture
 * of it. Returns a function that stops waiting for it.
 */
export function onceDrawn(told: () => void): () => void {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    told();
  });
  observer.observe({ type: 'largest-contentful-paint' });
  return () => observer.disconnect();
}
