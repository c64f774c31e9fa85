import { expect, it } from 'vitest';
import { say } from '../../../../renderer/say.ts';
import { hasSetting } from '../../../../renderer/words/settings.ts';

it.each([
  ['', true],
  ['proxies', true],
  ['network', true],
  ['limit', false],
])('finds the section Network for “%s”: %s', (search, isFound) => {
  expect(hasSetting(search, say('settings.network.title'), say('settings.network.detail'))).toBe(isFound);
});
