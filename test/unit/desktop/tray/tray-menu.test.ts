import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPauseAll, trayMenu } from '../../../../main/desktop/tray/tray-menu.ts';
import { jobStatuses } from '../../../../shared/job-status.ts';
import { job, watched } from '../stand-ins.ts';

const lines = (...work: Parameters<typeof trayMenu>) =>
  trayMenu(...work).lines.map((line) => line.replaceAll('\u00a0', ' '));

const sending = job({ bytesTotal: 1_000, bytesDone: 639 });
const inLine = job({ status: 'queued', waitingFor: 'turn' });

describe('trayMenu()', () => {
  it('trayMenu() shows nothing to do at first', () => {
    expect(trayMenu({ jobs: [], rules: [] })).toEqual({
      lines: ['Nothing to do'],
      uploads: null,
      folders: null,
    });
  });

  it('trayMenu() shows how many uploads run and their progress', () => {
    const jobs = [sending, { ...sending, bytesTotal: 3_000 }, inLine, inLine, inLine];
    expect(lines({ jobs, rules: [] })).toEqual(['Uploading 2 of 5, 31 %']);
  });

  it('trayMenu() shows how long the whole queue takes', () => {
    const timedJob = { ...sending, bytesPerSecond: 1, secondsLeft: 361 };
    const nextJob = { ...inLine, expected: { files: 1, bytes: 3_239 } };
    expect(lines({ jobs: [timedJob, nextJob], rules: [] })).toEqual(['Uploading 1 of 2, 63 % · 1 h left']);
  });

  it('trayMenu() shows no percentage before the source is scanned', () => {
    expect(lines({ jobs: [job({ status: 'creating' })], rules: [] })).toEqual(['Uploading']);
  });

  it('trayMenu() shows that all uploads wait for the network', () => {
    const jobs = [{ ...sending, waitingFor: 'network' as const }, inLine];
    expect(lines({ jobs, rules: [] })).toEqual(['Waiting for the network']);
  });

  it('trayMenu() shows tiling', () => {
    const tiling = job({ status: 'tiling', percentComplete: 40 });
    expect(lines({ jobs: [tiling], rules: [] })).toEqual(['Tiling, 40 %']);
    expect(lines({ jobs: [tiling, tiling], rules: [] })).toEqual(['Tiling 2 assets']);
  });

  it('trayMenu() shows that an upload needs the user', () => {
    const askingJob = job({ status: 'creating', waitingFor: 'confirmation' });
    expect(lines({ jobs: [askingJob], rules: [] })).toEqual(['1 upload needs your confirmation']);
    expect(lines({ jobs: [askingJob, askingJob], rules: [] })).toEqual(['2 uploads need your confirmation']);
    expect(lines({ jobs: [job({ waitingFor: 'sign-in' })], rules: [] })).toEqual(['Sign-in required']);
  });

  it('trayMenu() lists watched folders after uploads', () => {
    expect(lines({ jobs: [sending], rules: [watched()] })).toEqual(['Uploading, 63 %', 'Watching 1 folder']);
  });

  it('trayMenu() starts with the number of folders that need attention', () => {
    const rules = [watched({ state: 'suspended' }), watched({ failed: 2 }), watched()];
    expect(lines({ jobs: [], rules })).toEqual(['2 folders need attention', 'Watching 3 folders']);
  });

  it('trayMenu() shows paused folders when all are paused, whatever failed in them', () => {
    expect(lines({ jobs: [], rules: [watched({ on: false, failed: 1 })] })).toEqual([
      'Watched folders are paused',
    ]);
  });

  it('always shows text, with at most 100 %', () => {
    const anyJob = fc
      .record({
        status: fc.constantFrom(...jobStatuses),
        waitingFor: fc.constantFrom(null, 'turn', 'network', 'sign-in', 'confirmation'),
        bytesTotal: fc.option(fc.nat()),
        bytesDone: fc.nat(),
        percentComplete: fc.option(fc.double({ min: -10, max: 200 })),
      })
      .map((facts) => job(facts));
    fc.assert(
      fc.property(fc.array(anyJob), fc.array(fc.boolean()), (jobs, ruleStates) => {
        const menuLines = lines({ jobs, rules: ruleStates.map((isOn) => watched({ on: isOn })) });
        expect(menuLines.length).toBeGreaterThan(0);
        expect(menuLines.join('\n')).not.toMatch(/NaN|Infinity|null|undefined|-\d|1\d[1-9] %|[2-9]\d\d %/);
      }),
    );
  });
});

it('trayMenu() actions pause uploads while one runs, else resume them', () => {
  const running = { ...sending, actions: ['pause' as const] };
  const pausedJob = job({ status: 'paused', actions: ['resume'] });
  expect(trayMenu({ jobs: [running, pausedJob], rules: [] }).uploads).toBe('pause');
  expect(trayMenu({ jobs: [pausedJob], rules: [] })).toMatchObject({
    lines: ['1\u00a0upload is paused'],
    uploads: 'resume',
  });
});

it('trayMenu() actions ignore folders of the policy', () => {
  const lockedRule = { ...watched(), locked: true };
  expect(trayMenu({ jobs: [], rules: [lockedRule] }).folders).toBeNull();
  expect(trayMenu({ jobs: [], rules: [lockedRule, watched({ on: false })] }).folders).toBe('resume');
});

it('trayMenu() actions pause folders while one is watched, else resume them', () => {
  expect(trayMenu({ jobs: [], rules: [watched(), watched({ on: false })] }).folders).toBe('pause');
  expect(trayMenu({ jobs: [], rules: [watched({ on: false })] }).folders).toBe('resume');
});

/** Items by id; those in capitals are on. */
function things(...ids: string[]) {
  const stateById = new Map(ids.map((id) => [id.toLowerCase(), id !== id.toLowerCase()]));
  return {
    list: () => [...stateById].map(([id, isOn]) => ({ id, isOn })),
    setOn: (id: string, isWanted: boolean) => {
      stateById.set(id, isWanted);
    },
    now: () => [...stateById].map(([id, isOn]) => (isOn ? id.toUpperCase() : id)).join(''),
  };
}

it('createPauseAll() pauses all and resumes only those it paused', () => {
  const someThings = things('A', 'b', 'C');
  const pauseAll = createPauseAll(someThings);
  pauseAll.pause();
  expect(someThings.now()).toBe('abc');
  pauseAll.resume();
  expect(someThings.now()).toBe('AbC');
});

it('createPauseAll() resumes all when it paused none', () => {
  const someThings = things('a', 'b');
  createPauseAll(someThings).resume();
  expect(someThings.now()).toBe('AB');
});

it('createPauseAll() resumes all when those it paused are already on', () => {
  const someThings = things('A', 'b');
  const pauseAll = createPauseAll(someThings);
  pauseAll.pause();
  someThings.setOn('a', true);
  pauseAll.resume();
  expect(someThings.now()).toBe('AB');
});
