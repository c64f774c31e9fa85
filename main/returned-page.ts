import { currentSpeech, say } from './say.ts';

/** RFC 8252 7.3. Without input: nothing to escape. */
export function returnedPage(): string {
  const title = say('welcome.browser.returned');
  return `<!doctype html>
<html lang="${currentSpeech().language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; min-height: 90vh; place-content: center; text-align: center; }
  h1 { margin: 0; font-size: 24px; }
</style>
<h1>${title}</h1>
<p>${say('welcome.browser.returnedText')}</p>
</html>
`;
}
