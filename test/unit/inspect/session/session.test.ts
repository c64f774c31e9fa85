import { expect, it, vi } from 'vitest';
import { giveMemoryBack } from '../../../../main/free-memory.ts';
import { createSession } from '../../../../main/inspect/session/session.ts';

vi.mock('../../../../main/free-memory.ts', () => ({ giveMemoryBack: vi.fn() }));

const filesNamed = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const key = `${index}.jpg`;
    return { key, path: `/data/${key}`, size: 1, mtimeMs: 0 };
  });

it('createSession() returns memory to the system after a source of many files, given in parts', () => {
  const session = createSession();
  session.give({ id: 1, files: filesNamed(100) });
  session.forget(1);
  expect(giveMemoryBack).not.toHaveBeenCalled();
  for (let part = 0; part < 10; part++) session.give({ id: 2, files: filesNamed(500) });
  session.forget(2);
  expect(giveMemoryBack).toHaveBeenCalledOnce();
});
