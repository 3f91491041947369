import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, listen } from '@coinlab/http';
import { beforeAll, describe, expect, it } from 'vitest';
import { skipsWithout } from '../required.ts';
import { installClients, SDK } from './install.ts';

/*
 * Whole user stories with the published wallet SDK 1.4.0, unchanged, against a listening server. The stories run at once in one
 * process of their own (test/clients/sdk), because the SDK has packages, polyfills and caches of its own.
 */

interface Played {
  readonly name: string;
  readonly error: string | null;
  readonly seconds: number;
}

const isSkipped = skipsWithout('clients', installClients(), 'npm could not install test/clients/sdk');

const STORIES: readonly (readonly [name: string, outcome: string])[] = [
  ['connects', 'connects and reads the ledger end'],
  ['allocatesAnInternalParty', 'allocates and lists an internal party'],
  ['allocatesAnExternalParty', 'allocates and lists an external party with the fingerprint of its key'],
  ['keepsUsersApart', 'lists only the parties that the rights of a user cover'],
  ['acceptsATransfer', 'pays the receiver who accepts an offer'],
  ['rejectsATransfer', 'returns the coin of an offer that the receiver rejects'],
  ['withdrawsATransfer', 'returns the coin of an offer that the sender withdraws'],
  ['refusesToAcceptAfterTheDeadline', 'is refused with category 9 when it accepts after the deadline'],
  ['mergesCoins', 'merges 250 coins into one'],
  ['paysInOneStepUnderAPreapproval', 'creates, uses, renews and cancels a preapproval'],
  ['mergesCoinsByDelegation', 'merges coins of an owner with a merge delegation'],
  ['createsAPing', 'creates a contract of a template that the server only remembers'],
  ['buysTraffic', 'buys traffic and reads the new total'],
  ['grantsAFeaturedAppRight', 'grants the operator a featured app right'],
  ['uploadsADar', 'uploads a package'],
  ['refusesAForeignSignature', "is refused when it signs with another party's key"],
  ['executesASignedTransactionOnce', 'is refused when it executes a signed transaction again'],
  ['refusesADoubleSpend', 'is refused with category 11 when it spends a coin twice'],
  ['refusesAUserWithoutTheRight', 'is refused without a reason when the user may not act for the party'],
];

describe.skipIf(isSkipped)('the wallet SDK 1.4.0', () => {
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

  it.each(STORIES)('%s: %s', (name) => {
    expect(played.get(name)).toMatchObject({ name, error: null });
  });
});

it('plays every story of test/clients/sdk/stories', () => {
  const folder = join(SDK, 'stories');
  const declared = readdirSync(folder)
    .filter((file) => file !== 'wallet.mjs')
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^export async function (\w+)/gm)])
    .map(([, name]) => name);
  expect(STORIES.map(([name]) => name).sort()).toEqual(declared.sort());
});

async function play(url: string): Promise<ReadonlyMap<string, Played>> {
  const flags = ['--experimental-websocket', '--no-warnings', '--import', './polyfills.mjs'];
  const child = spawn(process.execPath, [...flags, 'run.mjs', url], { cwd: SDK, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the stories ended with code ${String(code)}:\n${err}`);
  const lines = out.split('\n').filter((line) => line.startsWith('{"name"'));
  // Cast: run.mjs prints this shape.
  return new Map(lines.map((line) => JSON.parse(line) as Played).map((story) => [story.name, story]));
}
