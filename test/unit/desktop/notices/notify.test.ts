import { expect, it, vi } from 'vitest';

const shownNotices = vi.hoisted((): { title: string; body: string }[] => []);
vi.mock('electron', () => ({
  Notification: class {
    static readonly isSupported = () => true;
    constructor(options: { title: string; body: string }) {
      shownNotices.push(options);
    }
    on(): void {}
    show(): void {}
  },
}));

import { createNotify } from '../../../../main/desktop/notices/notify.ts';

const notice = { title: 'Meier & Sohn', body: '<a href="https://evil.test">sign in</a> & more' };
const bodyOn = (platform: NodeJS.Platform) => {
  createNotify({ setAppUserModelId: () => {} } as never, () => {}, platform)(notice);
  return shownNotices.at(-1);
};

it('S75: notices show file names as text on Linux, not as markup', () => {
  expect(bodyOn('linux')).toMatchObject({
    title: notice.title,
    body: '&lt;a href="https://evil.test"&gt;sign in&lt;/a&gt; &amp; more',
  });
});

it.each(['darwin', 'win32'] as const)(
  'notices leave names unchanged on %s, which has no markup',
  (platform) => expect(bodyOn(platform)).toMatchObject(notice),
);
