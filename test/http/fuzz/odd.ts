import { PartyId } from '@coinlab/core';

/*
 * Malformed and unusual parts of requests.
 */

/** Malformed numbers, control characters, lone surrogates, names of prototypes, almost valid ids. */
export const ODD_TEXTS: readonly string[] = [
  ['', ' ', '0', '-1', '1e9', '+1', '1.', '.5', '1.00000000001', '9'.repeat(40), '0x10', 'NaN', 'Infinity', '١٢'],
  ['\u0000', '\ud800', 'a\udfffb', '\u202e', '\ufeff', '💸'.repeat(50), 'é', 'e\u0301', 'x'.repeat(5000), '\r\n', '\t'],
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', 'null'],
  ['../..', '..\\..', '%2e%2e%2f', 'a/b', '?', '#', '${7*7}', "' OR 1=1 --", '<script>', '{{}}', '%s%n', '*'],
  [`00${'f'.repeat(136)}`, `00${'0'.repeat(136)}`, `00${'0'.repeat(64)}`, `1220${'ab'.repeat(32)}`, '00', '1220'],
  [
    PartyId.of('alice'),
    `${PartyId.of('alice')}\n`,
    'alice::',
    '::',
    `a::1220${'AB'.repeat(32)}`,
    `${'a'.repeat(300)}::1220`,
  ],
  ['2026-01-01T00:00:00Z', '+275760-09-13T00:00:00.001Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:59.999999999Z'],
  ['2026-02-30T00:00:00Z', '2026-01-01', '1'.repeat(400), '1767225600000000', '-62135596800000001'],
].flat();

/** Values of wrong types, numbers out of range, misleading shapes. */
export const ODD_VALUES: readonly unknown[] = [
  [null, true, false, -1, 0, 1, 2, 0.5, 1e-300, 1e21, 1e308, -1e308, -0, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, 1e16],
  [[], {}, [[]], [null], [''], { values: {} }, { length: 1e9 }, { toJSON: 1 }, { microseconds: '-1' }],
  [Array.from({ length: 1000 }, () => 'x'), nested(200), { type: '__proto__' }, { tag: 'AV_Map', value: {} }],
].flat();

const DEPTH = 20_000;

/** Malformed or extreme JSON. */
export const ODD_BODIES: readonly string[] = [
  [
    '',
    ' ',
    '{',
    '}',
    'nul',
    'undefined',
    '"',
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '\u0000',
    '[1',
    '-',
  ],
  [
    '{"amount":1e400}',
    '{"amount":-0}',
    '{"amount":"1.0","amount":"2.0"}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    '1e999',
  ],
  ['{"__proto__":{"amount":"1.0"}}', '{"constructor":{"prototype":{"isOperator":true}}}', '{"":{"":{"":""}}}'],
  ['['.repeat(DEPTH), `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`],
  [
    `${'{"choiceArguments":'.repeat(2000)}1${'}'.repeat(2000)}`,
    `{"command":${'{"type":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  ],
  [`{"name":"${'x'.repeat(100_000)}"}`, `{"n":${'9'.repeat(100_000)}}`, `[${'1,'.repeat(50_000)}1]`],
].flat();

/** Path segments with a special meaning to routers, proxies or JavaScript. */
export const ODD_SEGMENTS: readonly string[] = [
  [
    '..',
    '.',
    '%2e%2e',
    '%2E',
    '%2f',
    '%2F..%2F',
    '%5c',
    '%00',
    '%0a',
    '%0d%0aX-A:%20b',
    '%zz',
    '%',
    '%c0%af',
    '%ed%a0%80',
  ],
  [
    '%25',
    '%252e',
    '%3f',
    '%23',
    ';',
    'a;b=c',
    '@',
    ':',
    ':id',
    '{id}',
    '*',
    '~',
    '__proto__',
    'constructor',
    '%F0%9F%92%B8',
  ],
].flat();

export const ODD_CONTENT_TYPES: readonly string[] = [
  ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'],
  ['application/json; charset=utf-16', 'application/json; charset="', 'APPLICATION/JSON', '', ';', 'image/png', '*/*'],
].flat();

export const ODD_METHODS: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PURGE',
  'PROPFIND',
];

export const ODD_CREDENTIALS: readonly string[] = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer a.b.c',
  'Basic YTpi',
  'bearer x',
  'Bearer ..',
  `Bearer ${'x'.repeat(4000)}`,
];

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : { x: [nested(depth - 1)] };
}
