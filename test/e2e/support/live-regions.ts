import type { Page } from 'playwright';

/** Spontaneous announcements of a screen reader. */
export interface LiveRegions {
  said(): Promise<readonly string[]>;
}

/** Records each new or changed text in the page's live regions. */
export async function listenToLiveRegions(page: Page): Promise<LiveRegions> {
  await page.evaluate(() => {
    const said: string[] = [];
    Reflect.set(window, 'saidByLiveRegions', said);
    const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]';
    const say = (node: Node) => {
      const text = node.textContent?.replace(/\s+/g, ' ').trim();
      if (text) said.push(text);
    };
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const isLive = element?.closest(live);
        if (type === 'characterData') {
          if (isLive) say(target);
          continue;
        }
        for (const node of addedNodes)
          if (isLive) say(node);
          else if (node instanceof Element)
            for (const region of [node, ...node.querySelectorAll(live)])
              if (region.matches(live)) say(region);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return { said: () => page.evaluate(() => [...Reflect.get(window, 'saidByLiveRegions')]) };
}
