import { genesisConfig, Instant, type AmuletConfig } from '@coinlab/core';
import { DEFAULT_PRESET, PRESET_NAMES, PRESETS, withPrices } from '@coinlab/core/rules';
import { z } from 'zod';
import { faultsOf } from './field-fault.js';

const decimal = z.string().regex(/^\d{1,28}(\.\d{1,10})?$/, 'a decimal text with at most ten places');
const seconds = z.number().int().positive();

const sweep = z.strictObject({
  sender: z.string().describe('User name or party id of the swept wallet.'),
  receiver: z.string().describe('User name or party id of the receiver.'),
  maxBalanceUSD: decimal.describe('Sweeps when the balance is above this amount.'),
  minBalanceUSD: decimal.describe('Balance that remains after a sweep.'),
  useTransferPreapproval: z
    .boolean()
    .default(false)
    .describe("Pays in one step under the receiver's preapproval instead of by an offer."),
});

const autoAccept = z.strictObject({
  receiver: z.string().describe('User name or party id of the accepting wallet.'),
  fromParties: z.array(z.string()).min(1).describe('User names or party ids of the senders.'),
});

const tokens = {
  audience: z.string().default('https://canton.network.global').describe('Audience that `aud` must contain.'),
  clock: z
    .enum(['machine', 'ledger'])
    .default('machine')
    .describe('Clock for checking `exp` and `nbf`: machine time or ledger time.'),
};

const portNumber = z.number().int().min(0).max(65_535);

export const validatorSettings = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z\d-]{0,40}$/, 'expected a name of lower-case letters, digits and dashes, such as app-user')
    .describe('Name of the validator; its participant id derives from it.'),
  partyHint: z
    .string()
    .regex(/^[\w.-]{1,185}$/, 'expected 1 to 185 letters, digits, points, dashes or underscores')
    .optional()
    .describe("Hint of the operator's party. Default: the name."),
  walletUsers: z
    .array(z.string().min(1))
    .default([])
    .describe("Users of the operator's wallet, in addition to `validatorWalletUser`."),
  isSuperValidator: z.boolean().default(false).describe("The operator's party is the first super validator."),
  ports: z.array(portNumber).default([]).describe('Ports with all APIs of this validator.'),
  ledgerPort: portNumber.optional().describe("Port with the JSON Ledger API of the validator's participant only."),
});

/** The settings of a server. All are optional. */
export const serverConfigSchema = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on; `localhost` listens on the loopback addresses of IPv4 and IPv6.'),
  allowedHosts: z
    .array(z.string().regex(/^(\*\.)?[\w.:[\]-]+$/, 'a host name, an address, or *.NAME for one label below it'))
    .default([])
    .describe(
      'Names in `Host` and `Origin` that may call /dev, in addition to loopback names and `host`. `COINLAB_ALLOWED_HOSTS` adds more.',
    ),
  corsOrigins: z
    .array(
      z
        .string()
        .regex(
          /^(\*|[a-z][a-z\d+.-]*:\/\/(\*\.)?[\w.:[\]-]+)$/i,
          'expected an origin such as https://wallet.example, https://*.example for one label below it, or *',
        ),
    )
    .default([])
    .describe(
      'Origins of web pages that may call all routes except /dev, in addition to pages of this machine; `*` allows all pages and is refused with the secret `unsafe`. `COINLAB_CORS_ORIGINS` adds more.',
    ),
  port: portNumber
    .default(5_003)
    .describe('Port to listen on, with all APIs of the first validator; 0 takes a free one.'),
  ledgerPort: portNumber
    .nullable()
    .default(null)
    .describe('Second port, with the JSON Ledger API of the first validator only; 0 takes a free one.'),
  validators: z
    .array(validatorSettings)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'expected different names')
    .refine(
      (list) => list.filter(({ isSuperValidator }) => isSuperValidator).length < 2,
      'expected one isSuperValidator',
    )
    .default([])
    .describe('Validators on the ledger. Default: one, named validator.'),
  preset: z
    .enum(PRESET_NAMES)
    .default(DEFAULT_PRESET)
    .describe(
      'Month of the network with its rules, prices and caps for a new ledger; `profile` and `amuletPrice` override it. Default: the latest documented month.',
    ),
  profile: z
    .enum(['legacy-fees', 'feeless', 'feeless-24h'])
    .default(PRESETS[DEFAULT_PRESET].profile)
    .describe("Rules of a new ledger. Default: the preset's."),
  isDevNet: z.boolean().default(true).describe('Allows taps and self-granted featured app rights.'),
  amuletPrice: decimal
    .default(PRESETS[DEFAULT_PRESET].amuletPrice)
    .describe("USD per coin in a new ledger. Default: the preset's."),
  seed: z.number().int().min(0).max(0xffff_ffff).default(1).describe('Seed of the update ids.'),
  release: z.string().default('0.6.6').describe('Release of the network with the endpoints to serve.'),
  traffic: z
    .enum(['free', 'counted'])
    .default('free')
    .describe(
      'Whether transactions of hosted parties consume traffic of their participant. Without traffic they are refused: set `automation.topUp`. Default with `dev` on a DevNet: counted.',
    ),
  validatorWalletUser: z
    .string()
    .default('ledger-api-user')
    .describe('User name of the operator, the only user of the admin routes.'),
  wallet: z
    .boolean()
    .default(true)
    .describe('Serves wallets. Without them, routes of external parties return 501 and wallet routes 404.'),
  walletOffers: z
    .enum(['locked', 'public'])
    .default('locked')
    .describe('Form of transfer offers: instructions with locked coin, or offers that lock nothing.'),
  strictPartyLookup: z.boolean().default(false).describe('Returns 404 instead of an empty list for unknown parties.'),
  clock: z
    .union([z.literal('real'), z.literal('manual'), z.number().positive().max(1_000_000)])
    .default('real')
    .describe('Machine time, a time that only requests advance, or a speed relative to machine time.'),
  startsAt: z
    .string()
    .refine((text) => Instant.parse(text).ok, 'expected a UTC time such as 2026-01-01T00:00:00Z')
    .optional()
    .describe(
      "Ledger time at which the clock starts, unless the log is ahead of it. Default: 2026-01-01T00:00:00Z for the manual clock, else the machine's time.",
    ),
  auth: z
    .discriminatedUnion(
      'algorithm',
      [
        z.strictObject({
          algorithm: z.literal('hs-256-unsafe').describe('Tokens are signed with a shared secret.'),
          secret: z.string().min(1).default('unsafe').describe('Shared secret of HS256.'),
          ...tokens,
        }),
        z.strictObject({
          algorithm: z.literal('rs-256').describe('Tokens are signed with a key of their issuer.'),
          jwksUrl: z.url().describe("Address of the issuer's keys."),
          ...tokens,
        }),
      ],
      { error: ({ code }) => (code === 'invalid_union' ? 'expected hs-256-unsafe or rs-256' : undefined) },
    )
    .prefault({ algorithm: 'hs-256-unsafe' }),
  allowUnsafeSecretBeyondLoopback: z
    .boolean()
    .default(false)
    .describe('Allows listening beyond loopback with the secret `unsafe` or with dev.'),
  dev: z.boolean().default(false).describe('Serves the /dev routes and creates ten funded users.'),
  limits: z
    .strictObject({
      bodyBytes: z
        .number()
        .int()
        .positive()
        .default(1_048_576)
        .describe('Maximum size of a body; larger ones get 413.'),
      packageBytes: z
        .number()
        .int()
        .positive()
        .default(33_554_432)
        .describe('Maximum size of an uploaded package archive; larger ones get 413.'),
      unfinishedBodyBytes: z
        .number()
        .int()
        .positive()
        .default(67_108_864)
        .describe('Maximum size of all unfinished bodies together; above it the oldest get 503.'),
      listElements: z
        .number()
        .int()
        .positive()
        .default(200)
        .describe('Maximum of elements in a list of the JSON Ledger API; longer ones get 413.'),
      headerBytes: z
        .number()
        .int()
        .positive()
        .default(16_384)
        .describe('Maximum size of the headers; larger ones get 431.'),
      requestSeconds: seconds.default(30).describe('Time for a request to arrive; slower ones get 408.'),
      forks: z.number().int().positive().default(5_000).describe('Maximum of forks (`POST /dev/fork`); more get 409.'),
      connections: z.number().int().positive().default(20_000).describe('Maximum of open connections; more get 503.'),
      stalledSeconds: seconds
        .default(60)
        .describe('Time for a client of a websocket to take a message; slower ones are closed.'),
      shutdownSeconds: seconds
        .max(3_600)
        .default(10)
        .describe('Time for open requests at shutdown; then their connections are closed.'),
    })
    .prefault({}),
  automation: z
    .strictObject({
      pollSeconds: seconds.default(30).describe('Seconds between two runs of automation.'),
      rewardPollSeconds: seconds
        .default(300)
        .describe('Seconds between two collections of rewards and merges of coins.'),
      dso: z.boolean().default(true).describe('Advances rounds, issues rewards and expires contracts.'),
      rewards: z.boolean().default(true).describe('Collects rewards and merges coins of wallets.'),
      preapprovals: z.boolean().default(true).describe('Accepts preapproval proposals and renews preapprovals.'),
      foreignPreapprovals: z
        .boolean()
        .default(false)
        .describe('Also accepts preapproval proposals of receivers that this validator does not host.'),
      mergeDelegations: z.boolean().default(true).describe('Merges coins of owners with a merge delegation.'),
      acceptsMergeDelegations: z
        .boolean()
        .optional()
        .describe('Accepts merge delegations that hosted users propose to the operator. Default: the value of `dev`.'),
      mintingDelegations: z
        .boolean()
        .default(true)
        .describe('Collects rewards of beneficiaries with a minting delegation.'),
      topUp: z
        .strictObject({
          targetThroughput: z
            .number()
            .int()
            .nonnegative()
            .describe('Traffic to sustain in bytes per second; 0 turns top-ups off.'),
          minTopupIntervalSeconds: seconds.default(600).describe('Minimum time between two purchases.'),
          tapsAlways: z
            .boolean()
            .default(false)
            .describe('Taps the cost of every purchase, not only when coin is missing.'),
        })
        .optional()
        .describe(
          'Buys traffic for the validator. Default with `dev` and counted traffic: 1,000,000 bytes per second, else none.',
        ),
      sweeps: z.array(sweep).default([]).describe('Sweeps: payments of the coin above a balance to another party.'),
      autoAccept: z.array(autoAccept).default([]).describe('Senders with automatically accepted offers, by receiver.'),
      autoAcceptsInstructions: z
        .boolean()
        .default(false)
        .describe('Also accepts token-standard transfers of these senders.'),
    })
    .prefault({}),
});

/** The settings of a server with all defaults filled in. */
export type ServerConfig = z.output<typeof serverConfigSchema>;

export interface Configured<Names extends keyof ServerConfig> {
  readonly config: Pick<ServerConfig, Names>;
}

/** The settings as users write them; all are optional. */
export type ServerConfigInput = z.input<typeof serverConfigSchema>;

/** Parses settings. Returns the faults by path, with the value and what was expected. */
export function parseServerConfig(
  input: unknown,
): { readonly ok: true; readonly value: ServerConfig } | { readonly ok: false; readonly faults: readonly string[] } {
  const parsed = serverConfigSchema.safeParse(withDerived(input));
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, input, settingsAt));
  return { ok: false, faults: faults.map(({ path, reason }) => `${path.join('.') || 'settings'}: ${reason}`) };
}

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
}

function settingsAt(path: readonly PropertyKey[]): readonly string[] {
  // Cast: a schema has more parts than these.
  const all = serverConfigSchema.toJSONSchema({ io: 'input' }) as Part;
  return partsAt(all, path).flatMap(({ properties = {} }) => Object.keys(properties));
}

function partsAt(part: Part, [name, ...rest]: readonly PropertyKey[]): readonly Part[] {
  const forms = [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])];
  if (name === undefined) return forms;
  return forms.flatMap(({ properties = {}, items }) => {
    const inner = properties[String(name)] ?? items;
    return inner ? partsAt(inner, rest) : [];
  });
}

function withDerived(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? withDevTraffic(withPreset(input)) : input;
}

function withPreset(input: object): object {
  const { preset = DEFAULT_PRESET }: { readonly preset?: unknown } = input;
  const name = PRESET_NAMES.find((one) => one === preset);
  if (name === undefined) return input;
  const { profile, amuletPrice } = PRESETS[name];
  return { profile, amuletPrice, ...input };
}

/** Purchases of 600 MB, so that a test without advance of a manual clock has traffic for about 80,000 transfers. */
const DEV_TOP_UP = { targetThroughput: 1_000_000, minTopupIntervalSeconds: 600 };

function withDevTraffic(input: object): object {
  const { dev, isDevNet = true, traffic = isDevNet ? 'counted' : 'free', automation = {} }: Partial<Unread> = input;
  if (dev !== true || traffic !== 'counted' || typeof automation !== 'object' || automation === null) return input;
  return { traffic, ...input, automation: { topUp: DEV_TOP_UP, ...automation } };
}

type Unread = Readonly<Record<'dev' | 'isDevNet' | 'traffic' | 'automation', unknown>>;

export function configOf({ preset, profile }: Pick<ServerConfig, 'preset' | 'profile'>): AmuletConfig {
  return withPrices(genesisConfig(profile), PRESETS[preset]);
}

/** Invalid settings. Each fault names the field. */
export class BadSettings extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`bad settings: ${faults.join('; ')}`);
    this.faults = faults;
  }
}
