import { afterEach, describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../main/errors.ts';
import { errorRecord } from '../../main/jobs/stored-errors.ts';
import { errorAdvice, errorMessage, speak } from '../../renderer/say.ts';
import { errorTable } from '../../shared/errors.ts';

const codes = Object.keys(errorTable) as ErrorCode[];

describe('errors', () => {
  it.each(codes)('%s has a message and advice', (code) => {
    const error = new TileliftError(code, { subject: 'Town.gml' });
    expect(code).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(error.message).toMatch(/[.]$/);
    expect(error.message).not.toContain('{');
    expect(errorAdvice(toErrorRecord(error))).toMatch(/[.]$/);
  });

  it('errors contain their subject verbatim', () => {
    expect(new TileliftError('source-missing', { subject: '/a/$&{subject}' }).message).toContain(
      '/a/$&{subject}',
    );
  });

  it('errors keep the remote message', () => {
    const remote = { status: 400, code: 'BadName', message: 'The name is taken' };
    expect(toErrorRecord(new TileliftError('request-refused', { remote }))).toMatchObject({
      code: 'request-refused',
      remote,
    });
  });

  it('errors survive serialization', () => {
    const record = toErrorRecord(
      new TileliftError('source-changed', { subject: 'a.tif', remote: { status: 409 } }),
    );
    expect(toErrorRecord(TileliftError.fromRecord(record))).toEqual(record);
  });

  it('errors are stored without text', () => {
    const subject = { list: ['/a', { key: 'general.theService' }] } as const;
    const record = toErrorRecord(new TileliftError('watch-folder-nested', { subject, field: 'folder' }));
    expect(record).toEqual({ code: 'watch-folder-nested', subject, field: 'folder', retryable: false });
    expect(errorRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('errors hide unknown errors behind an internal error', () => {
    const record = toErrorRecord(new Error('password=hunter2'));
    expect(record.code).toBe('internal');
    expect(JSON.stringify(record)).not.toContain('hunter2');
  });

  describe('in another language', () => {
    afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

    it('errors in another language are translated by code and subject, and logged in English', () => {
      const error = toErrorRecord(new TileliftError('source-missing', { subject: 'Town.gml' }));
      const inEnglish = errorMessage(error);
      speak({ language: 'de', locale: 'de-DE' });
      expect(new TileliftError('source-missing', { subject: 'Town.gml' }).message).toBe(inEnglish);
      expect({ message: errorMessage(error), advice: errorAdvice(error) }).toEqual({
        message: 'Unter Town.gml wurde nichts gefunden.',
        advice: 'Prüfen Sie den Pfad und ob das Laufwerk verbunden ist.',
      });
    });

    it('errors in another language need no subject if the message has none', () => {
      speak({ language: 'de', locale: 'de-DE' });
      expect(errorMessage(toErrorRecord(new TileliftError('job-unknown')))).toBe(
        'Diesen Upload gibt es nicht mehr.',
      );
    });
  });
});
