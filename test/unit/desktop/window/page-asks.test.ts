import { expect, it, vi } from 'vitest';
import { createPageAsks } from '../../../../main/desktop/window/page-asks.ts';

function desktop() {
  const window = { show: vi.fn(), send: vi.fn() };
  return { ...window, ...createPageAsks(window) };
}

it('createPageAsks() shows the window, notifies the page and is taken once', () => {
  const { ask, takeAll, show, send } = desktop();
  ask({ kind: 'job', id: 'a' });
  expect(show).toHaveBeenCalledOnce();
  expect(send).toHaveBeenCalledExactlyOnceWith('desktop.asked', null);
  expect(takeAll()).toEqual([{ kind: 'job', id: 'a' }]);
  expect(takeAll()).toEqual([]);
});

it('createPageAsks() holds requests for the page: the newest of each kind, with sources merged', () => {
  const { ask, takeAll } = desktop();
  ask({ kind: 'source', paths: ['/data/a', '/data/b'] });
  ask({ kind: 'menu', command: 'assets' });
  ask({ kind: 'source', paths: ['/data/b', '/data/c'] });
  ask({ kind: 'menu', command: 'settings' });
  expect(takeAll()).toEqual([
    { kind: 'source', paths: ['/data/a', '/data/b', '/data/c'] },
    { kind: 'menu', command: 'settings' },
  ]);
});
