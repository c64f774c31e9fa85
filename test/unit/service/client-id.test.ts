import { expect, it } from 'vitest';
import { parseClientId } from '../../../main/service/client-id.ts';

it.each([
  ['', null],
  ['  ', null],
  [' 4711\n', '4711'],
  ['0012', '0012'],
  ['https://example.com/tilelift.json', 'https://example.com/tilelift.json'],
  ['https://EXAMPLE.com/a?b=c', 'https://EXAMPLE.com/a?b=c'],
  ['http://127.0.0.1:8080/tilelift.json', 'http://127.0.0.1:8080/tilelift.json'],
])('parseClientId() parses %j as %j', (enteredId, id) => expect(parseClientId(enteredId)).toBe(id));

it.each([
  'dcr:abc',
  '-1',
  '4.5',
  'http://example.com/tilelift.json',
  'https://me:secret@example.com/',
  'https://example.com/#x',
  'https://example.com/a b',
  'javascript:alert(1)',
  '1'.repeat(3000),
])('parseClientId() refuses %j', (enteredId) => {
  expect(() => parseClientId(enteredId)).toThrow(expect.objectContaining({ code: 'client-id-invalid' }));
});
