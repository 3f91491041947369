import { spawn } from 'node:child_process';
import { SDK } from './install.ts';

/** The published clients that the stories drive, as in test/clients/sdk/package.json. */
export const CLIENTS = {
  'wallet-sdk-1': '@canton-network/wallet-sdk 1.4.0',
  'wallet-sdk-0': '@canton-network/wallet-sdk 0.20.0',
} as const;

type Client = keyof typeof CLIENTS;

export interface Story {
  readonly client: Client;
  /** Its function in test/clients/sdk/stories. */
  readonly name: string;
  readonly outcome: string;
}

const storiesOf = (client: Client, outcomes: Readonly<Record<string, string>>): readonly Story[] =>
  Object.entries(outcomes).map(([name, outcome]) => ({ client, name, outcome }));

/** Whole user stories of the published SDKs, unchanged. */
export const STORIES: readonly Story[] = [
  ...storiesOf('wallet-sdk-1', {
    connects: 'connects and reads the ledger end',
    allocatesAnInternalParty: 'allocates and lists an internal party',
    allocatesAnExternalParty: 'allocates and lists an external party with the fingerprint of its key',
    keepsUsersApart: 'lists only the parties that the rights of a user cover',
    acceptsATransfer: 'pays the receiver who accepts an offer',
    rejectsATransfer: 'returns the coin of an offer that the receiver rejects',
    withdrawsATransfer: 'returns the coin of an offer that the sender withdraws',
    refusesToAcceptAfterTheDeadline: 'is refused with category 9 when it accepts after the deadline',
    mergesCoins: 'merges 250 coins into one',
    paysInOneStepUnderAPreapproval: 'creates, uses, renews and cancels a preapproval',
    mergesCoinsByDelegation: 'merges coins of an owner with a merge delegation',
    createsAPing: 'creates a contract of a template that the server only remembers',
    labelsItsHistory: 'labels its history as on the network, with changes that add up to its coin',
    keepsContractsInItsCache: 'keeps active contracts in its cache and applies later updates to them',
    followsEvents: 'follows its updates and completions in the order of the ledger',
    buysTraffic: 'buys traffic and reads the new total',
    grantsAFeaturedAppRight: 'grants the operator a featured app right',
    uploadsADar: 'uploads a package',
    refusesAForeignSignature: "is refused when it signs with another party's key",
    executesASignedTransactionOnce: 'is refused when it executes a signed transaction again',
    refusesADoubleSpend: 'is refused with category 11 when it spends a coin twice',
    refusesAUserWithoutTheRight: 'is refused without a reason when the user may not act for the party',
  }),
  ...storiesOf('wallet-sdk-0', {
    earlierAllocatesAnExternalParty: 'allocates and lists an external party',
    earlierReproducesTheHash: 'recomputes the hash of a prepared transaction, as the SDK 1.4.0 does',
    earlierPaysByOffer: 'executes a payment, awaits its completion and reads its update by id',
    earlierProposesAPreapproval: 'proposes a preapproval in the form that the preferred package version needs',
    earlierLabelsItsHistory: 'labels its history, with changes that add up to its coin',
    earlierMergesByDelegation: 'merges coins by a delegation, from the proposal to the batch',
    earlierBuysTraffic: 'buys traffic and reads the new total',
    earlierGrantsAFeaturedAppRight: 'grants the operator a featured app right',
    earlierFollowsUpdates: 'follows the updates of a party',
    earlierSignsOffline: 'signs a prepared transaction where there is no connection',
  }),
];

export interface Played {
  readonly name: string;
  readonly error: string | null;
  readonly seconds: number;
}

/**
 * Plays all stories at once against a server, in a process of their own: the SDKs have packages, polyfills and caches of
 * their own.
 */
export async function play(url: string): Promise<ReadonlyMap<string, Played>> {
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
