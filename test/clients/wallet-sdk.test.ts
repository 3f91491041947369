import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, listen } from '@coinlab/http';
import { beforeAll, describe, expect, it } from 'vitest';
import { skipsWithout } from '../required.ts';
import { installClients, SDK } from './install.ts';
import { CLIENTS, play, STORIES, type Played } from './stories.ts';

/* Whole user stories with published wallet SDKs, unchanged, against a listening server. */

const isSkipped = skipsWithout('clients', installClients(), 'npm could not install test/clients/sdk');

describe.skipIf(isSkipped)('the published client', () => {
  let played: ReadonlyMap<string, Played>;

  beforeAll(async () => {
    // The SDK accepts merge delegations itself. Automation could accept one first, and the SDK then finds no proposal.
    const automation = { acceptsMergeDelegations: false };
    const open = await listen(await createServer({ port: 0, dev: true, automation }));
    try {
      played = await play(open.url);
    } finally {
      await open.close();
    }
  });

  it.each(STORIES.map(({ client, outcome, name }) => [CLIENTS[client], outcome, name] as const))(
    '%s: the story "%s" (%s) runs without an error',
    (_client, _outcome, name) => {
      expect(played.get(name)).toMatchObject({ name, error: null });
    },
  );
});

it('the tests run every story in the folder test/clients/sdk/stories', () => {
  const folder = join(SDK, 'stories');
  const declared = readdirSync(folder)
    .filter((file) => !file.endsWith('wallet.mjs'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^export async function (\w+)/gm)])
    .map(([, name]) => name);
  expect(STORIES.map(({ name }) => name).sort()).toEqual(declared.sort());
});
