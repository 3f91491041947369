import { Instant } from '@coinlab/core';
import { z } from 'zod';

const decimal = z.string().regex(/^\d{1,28}(\.\d{1,10})?$/, 'a decimal text with at most ten places');
const seconds = z.number().int().positive();

/** One sweep of a wallet. Source: specification of the domain §8.4. */
const sweep = z.strictObject({
  sender: z.string().describe('User name or party id of the wallet that is swept.'),
  receiver: z.string().describe('User name or party id that receives.'),
  maxBalanceUSD: decimal.describe('The sweep fires strictly above this.'),
  minBalanceUSD: decimal.describe('What stays.'),
  useTransferPreapproval: z
    .boolean()
    .default(false)
    .describe('Pays by the preapproval of the receiver, at once, instead of by an offer.'),
});

/** One pair of a receiver and the senders whose offers are accepted at once. Source: specification of the domain §8.5. */
const autoAccept = z.strictObject({
  receiver: z.string().describe('User name or party id of the wallet that accepts.'),
  fromParties: z.array(z.string()).min(1).describe('User names or party ids of the senders.'),
});

/** What both kinds of tokens have in common. */
const tokens = {
  audience: z.string().default('https://canton.network.global').describe('What `aud` must contain.'),
  clock: z
    .enum(['machine', 'ledger'])
    .default('machine')
    .describe('Clock that `exp` and `nbf` are checked against: machine time, or ledger time as it is moved by hand.'),
};

/** Everything a server can be told; every part may be left out. */
export const serverConfigSchema = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Address to listen on.'),
  allowedHosts: z
    .array(z.string().regex(/^(\*\.)?[\w.:[\]-]+$/, 'a host name, an address, or *.NAME for one label below it'))
    .default([])
    .describe(
      'Names in `Host` and `Origin` that may call /dev, beside those of this machine and `host`; `COINLAB_ALLOWED_HOSTS` adds more.',
    ),
  port: z.number().int().min(0).max(65_535).default(5_003).describe('Port to listen on; 0 takes a free one.'),
  profile: z.enum(['legacy-fees', 'feeless', 'feeless-24h']).default('feeless').describe('Rules of a new ledger.'),
  isDevNet: z.boolean().default(true).describe('Whether coin can be tapped.'),
  amuletPrice: decimal.default('0.005').describe('USD per coin at genesis.'),
  seed: z.number().int().min(0).max(0xffff_ffff).default(1).describe('Seed of the update ids.'),
  release: z.string().default('0.6.6').describe('Release whose endpoints are served.'),
  validatorWalletUser: z
    .string()
    .default('ledger-api-user')
    .describe('Name of the operator: its token may administer.'),
  wallet: z
    .boolean()
    .default(true)
    .describe('Whether the validator has wallets; without them 501 for external parties, 404 for users.'),
  walletOffers: z
    .enum(['locked', 'public'])
    .default('locked')
    .describe(
      'What a transfer offer of the wallet is: an instruction that locks coin, or an offer that locks nothing.',
    ),
  strictPartyLookup: z.boolean().default(false).describe('404 instead of an empty list for an unknown party.'),
  clock: z
    .union([z.literal('real'), z.literal('manual'), z.number().positive().max(1_000_000)])
    .default('real')
    .describe('The machine’s time, a time that is moved by hand, or a factor on the machine’s.'),
  startsAt: z
    .string()
    .refine((text) => Instant.parse(text).ok, 'expected a UTC time such as 2026-01-01T00:00:00Z')
    .optional()
    .describe(
      'Ledger time at which the clock starts, unless the log is ahead of it. Left out: 2026-01-01T00:00:00Z for the manual clock, else the machine’s time.',
    ),
  auth: z
    .discriminatedUnion('algorithm', [
      z.strictObject({
        algorithm: z.literal('hs-256-unsafe').describe('Tokens are signed with a shared secret.'),
        secret: z.string().min(1).default('unsafe').describe('Shared secret of HS256.'),
        ...tokens,
      }),
      z.strictObject({
        algorithm: z.literal('rs-256').describe('Tokens are signed with a key of their issuer.'),
        jwksUrl: z.url().describe('Where the issuer shows its keys.'),
        ...tokens,
      }),
    ])
    .prefault({ algorithm: 'hs-256-unsafe' }),
  allowUnsafeSecretBeyondLoopback: z
    .boolean()
    .default(false)
    .describe('Listens beyond this machine even with the secret `unsafe` or with dev.'),
  dev: z.boolean().default(false).describe('Serves the /dev routes and opens the ledger with ten funded parties.'),
  limits: z
    .strictObject({
      bodyBytes: z.number().int().positive().default(1_048_576).describe('Largest body; beyond it 413.'),
      unfinishedBodyBytes: z
        .number()
        .int()
        .positive()
        .default(67_108_864)
        .describe('What is held of unfinished bodies over all connections; beyond it the oldest are refused with 503.'),
      headerBytes: z.number().int().positive().default(16_384).describe('Largest headers; beyond them 431.'),
      requestSeconds: seconds.default(30).describe('For a request to arrive; beyond it 408.'),
      connections: z.number().int().positive().default(20_000).describe('Open at once; beyond them 503.'),
      shutdownSeconds: seconds
        .max(3_600)
        .default(10)
        .describe('For what is under way when the server ends; then its connections are closed.'),
    })
    .prefault({}),
  automation: z
    .strictObject({
      pollSeconds: seconds.default(30).describe('Between two turns of automation.'),
      rewardPollSeconds: seconds.default(300).describe('Between two collections of rewards.'),
      dso: z.boolean().default(true).describe('Rounds advance, rewards issue, what is due expires.'),
      rewards: z.boolean().default(true).describe('Wallets collect rewards and merge coins.'),
      preapprovals: z.boolean().default(true).describe('The validator accepts proposals and renews.'),
      mergeDelegations: z.boolean().default(true).describe('Merges the coins of those who delegated it.'),
      mintingDelegations: z.boolean().default(true).describe('Collects rewards for those who delegated it.'),
      topUp: z
        .strictObject({
          targetThroughput: z.number().int().nonnegative().describe('Bytes per second to keep up; 0 switches it off.'),
          minTopupIntervalSeconds: seconds.default(600).describe('Least time between two purchases.'),
          tapsAlways: z.boolean().default(false).describe('Taps the cost always, not only when coin lacks.'),
        })
        .optional()
        .describe('Buys traffic for the validator; bytes per second.'),
      sweeps: z.array(sweep).default([]).describe('Pay what is above a balance to another party.'),
      autoAccept: z.array(autoAccept).default([]).describe('Whose offers are accepted at once.'),
      autoAcceptsInstructions: z
        .boolean()
        .default(false)
        .describe('Accepts token-standard transfers of those senders too.'),
    })
    .prefault({}),
});

/** The settings of a server, with everything that was left out filled in. */
export type ServerConfig = z.output<typeof serverConfigSchema>;

/** What needs some of the settings. */
export interface Configured<Names extends keyof ServerConfig> {
  readonly config: Pick<ServerConfig, Names>;
}

/** What a user writes: everything may be left out. */
export type ServerConfigInput = z.input<typeof serverConfigSchema>;

/** Reads settings; a bad one is refused with its path, the value's fault and what was expected. */
export function parseServerConfig(
  input: unknown,
): { readonly ok: true; readonly value: ServerConfig } | { readonly ok: false; readonly faults: readonly string[] } {
  const parsed = serverConfigSchema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    faults: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`),
  };
}

/** Settings that cannot be used: each fault names the field. */
export class BadSettings extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`bad settings: ${faults.join('; ')}`);
    this.faults = faults;
  }
}
