import { describe, expect, it } from 'vitest';
import { staysWithoutWindow } from '../../../../main/desktop/quit/stay.ts';
import { job, watched } from '../stand-ins.ts';

const nothing = { jobs: [], rules: [] };

describe('whether Tilelift is still running', () => {
  it('is as the person has said, whatever there is to do', () => {
    expect(staysWithoutWindow('linux', true, nothing)).toBe(true);
    expect(staysWithoutWindow('linux', false, { jobs: [job()], rules: [watched()] })).toBe(false);
  });

  it('is no where nothing is to be done', () => {
    expect(staysWithoutWindow('linux', null, nothing)).toBe(false);
    expect(staysWithoutWindow('win32', null, { jobs: [], rules: [watched({ on: false })] })).toBe(false);
  });

  it('is yes while a rule is on', () => {
    expect(staysWithoutWindow('linux', null, { jobs: [], rules: [watched()] })).toBe(true);
  });

  it.each([
    { status: 'queued', waitingFor: 'line' },
    { status: 'uploading', waitingFor: 'network' },
    { status: 'completing' },
    { status: 'tiling' },
  ] as const)('is yes while a job goes on: %o', (facts) => {
    expect(staysWithoutWindow('linux', null, { jobs: [job(facts)], rules: [] })).toBe(true);
  });

  it.each([
    { status: 'paused' },
    { status: 'uploading', waitingFor: 'sign-in' },
    { status: 'creating', waitingFor: 'confirmation' },
    { status: 'complete' },
  ] as const)('is no for a job that waits for a person or has ended: %o', (facts) => {
    expect(staysWithoutWindow('linux', null, { jobs: [job(facts)], rules: [] })).toBe(false);
  });

  it('is always yes on macOS', () => {
    expect(staysWithoutWindow('darwin', false, nothing)).toBe(true);
  });
});
