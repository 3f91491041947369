import { LAWS } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { read } from './source.ts';

const page = 'docs/reference/laws.md';
const INVARIANTS = 58;

describe(`the laws in ${page}`, () => {
  const rows = [...read(page).matchAll(/^\|\s*(\d+)\s*\|[^|]*\|([^|]*)\|$/gm)].map(([, number, checks]) => ({
    number: Number(number),
    checks: (checks ?? '').split('<br>').map((check) => check.trim()),
  }));

  it('have one row for each invariant of the specification, in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: INVARIANTS }, (_, i) => i + 1));
  });

  it('are exactly the laws of the core, with the same numbers', () => {
    const listed = rows.flatMap(({ number, checks }) =>
      checks.flatMap((check) => (check.startsWith('law: ') ? [`${number} ${check.slice('law: '.length)}`] : [])),
    );
    expect(listed.sort()).toEqual(LAWS.map(({ invariant, name }) => `${invariant} ${name}`).sort());
  });

  it('name a property test for each invariant that no law checks', () => {
    const wrong = rows.flatMap(({ number, checks }) =>
      checks.flatMap((check) => {
        if (check.startsWith('law: ')) return [];
        const file = /^property: \[[^\]]*\]\(\.\.\/\.\.\/(test\/properties\/[\w.-]+)\)$/.exec(check)?.[1];
        if (!file) return [`${number}: neither a law nor a property: '${check}'`];
        const named = [...read(file).matchAll(/\(invariants? ([^)]*)\)/g)].flatMap(
          ([, list]) => list?.match(/\d+/g) ?? [],
        );
        return named.includes(String(number)) ? [] : [`${number}: ${file} does not name it`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
