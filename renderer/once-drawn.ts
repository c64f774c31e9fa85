/**
 * Calls back once something new that can be read is on the window: Chromium says when it has made a picture
 * of it. Returns a function that stops waiting for it.
 */
export function onceDrawn(onDrawn: () => void): () => void {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    onDrawn();
  });
  observer.observe({ type: 'largest-contentful-paint' });
  return () => observer.disconnect();
}
