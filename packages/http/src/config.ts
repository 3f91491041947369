import { z } from 'zod';

const decimal = z.string().regex(/^\d{1,28}(\.\d{1,10})?$/, 'a decimal text with at most ten places');
const seconds = z.number().int().positive();

/** One sweep of a wallet. Source: specification of the domain §8.4. */
const sweep = z.strictObject({
  sender: z.string().describe('User name or party id of the wallet that is swept.'),
  receiver: z.string().describe('User name or party id that receives.'),
  maxBalanceUSD: decimal.describe('The sweep fires strictly above this.'),
  minBalanceUSD: decimal.describe('What stays.'),
  useTransferPreapproval: z.boolean().default(false),
});

/** One pair of a receiver and the senders whose offers are accepted at once. Source: specification of the domain §8.5. */
const autoAccept = z.strictObject({ receiver: z.string(), fromParties: z.array(z.string()).min(1) });

/** Everything a server can be told; every part may be left out. */
export const serverConfigSchema = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Address to listen on.'),
  port: z.number().int().min(0).max(65_535).default(5_003).describe('Port to listen on; 0 takes a free one.'),
  profile: z.enum(['legacy-fees', 'feeless', 'feeless-24h']).default('feeless'),
  isDevNet: z.boolean().default(true).describe('Whether coin can be tapped.'),
  amuletPrice: decimal.default('0.005').describe('USD per coin at genesis.'),
  seed: z.number().int().min(0).max(0xffff_ffff).default(1),
  release: z.string().default('0.6.6').describe('Release whose endpoints are served.'),
  validatorWalletUser: z
    .string()
    .default('ledger-api-user')
    .describe('Name of the operator: its token may administer.'),
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
  auth: z
    .discriminatedUnion('algorithm', [
      z.strictObject({
        algorithm: z.literal('hs-256-unsafe'),
        secret: z.string().min(1).default('unsafe'),
        audience: z.string().default('https://canton.network.global'),
      }),
      z.strictObject({
        algorithm: z.literal('rs-256'),
        jwksUrl: z.url(),
        audience: z.string().default('https://canton.network.global'),
      }),
    ])
    .default({ algorithm: 'hs-256-unsafe', secret: 'unsafe', audience: 'https://canton.network.global' }),
  allowUnsafeSecretBeyondLoopback: z.boolean().default(false),
  dev: z.boolean().default(false).describe('Serves the /dev routes and opens the ledger with ten funded parties.'),
  limits: z
    .strictObject({
      bodyBytes: z.number().int().positive().default(1_048_576),
      headerBytes: z.number().int().positive().default(16_384),
      requestSeconds: seconds.default(30),
      connections: z.number().int().positive().default(20_000),
    })
    .prefault({}),
  automation: z
    .strictObject({
      pollSeconds: seconds.default(30),
      rewardPollSeconds: seconds.default(300),
      dso: z.boolean().default(true).describe('Rounds advance, rewards issue, what is due expires.'),
      rewards: z.boolean().default(true).describe('Wallets collect rewards and merge coins.'),
      preapprovals: z.boolean().default(true).describe('The validator accepts proposals and renews.'),
      mergeDelegations: z.boolean().default(true),
      mintingDelegations: z.boolean().default(true),
      topUp: z
        .strictObject({
          targetThroughput: z.number().int().nonnegative(),
          minTopupIntervalSeconds: seconds.default(600),
          tapsAlways: z.boolean().default(false),
        })
        .optional()
        .describe('Buys traffic for the validator; bytes per second.'),
      sweeps: z.array(sweep).default([]),
      autoAccept: z.array(autoAccept).default([]),
      autoAcceptsInstructions: z.boolean().default(false),
    })
    .prefault({}),
});

/** The settings of a server, with everything that was left out filled in. */
export type ServerConfig = z.output<typeof serverConfigSchema>;

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
