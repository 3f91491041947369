import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SDK } from '../clients/install.ts';
import { readResults, recordedSection, section } from '../clients/results.ts';
import { CLIENTS, STORIES } from '../clients/stories.ts';

it('the guide lists the recorded results of the published clients', () => {
  expect(recordedSection()).toBe(section(readResults()));
});

it('the record has a result for every story of the published clients', () => {
  expect(Object.keys(readResults().stories).sort()).toEqual(STORIES.map(({ name }) => name).sort());
});

it('the recorded results are those of the installed versions of the published clients', () => {
  const { dependencies } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  for (const [alias, name] of Object.entries(CLIENTS))
    expect(dependencies[alias]).toBe(`npm:${name.replace(' ', '@')}`);
});
