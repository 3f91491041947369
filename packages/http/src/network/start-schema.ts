import { Amount, Duration } from '@coinlab/core';
import { z } from 'zod';
import { validatorSettings } from '../config.js';

const NAME = /^[A-Za-z0-9][\w@.:-]{0,127}$/;
/** A larger number would only be a mistake. */
const MOST_COINS = 100_000;

const name = z.string().regex(NAME, 'expected a name such as alice');
const decimal = 'a positive decimal with at most ten places, such as 0.5';

/** `0.5`, or `1500 x 0.5` for 1,500 coins. */
const coins = z
  .union([z.string(), z.number()])
  .transform((given, c) => {
    const [, count = '1', text = ''] = /^(?:(\d{1,7}) ?x ?)?(\S+)$/.exec(String(given)) ?? [];
    const amount = Amount.parse(text);
    const fits = amount.ok && amount.value > 0n && Number(count) > 0 && Number(count) <= MOST_COINS;
    if (fits) return { count: Number(count), amount: amount.value };
    c.addIssue({
      code: 'custom',
      message: `expected ${decimal}, or up to ${MOST_COINS} equal coins, such as 1500 x 0.5`,
    });
    return z.NEVER;
  })
  .describe('An amount, or a number of equal coins such as `1500 x 0.5`.');

const amount = z.union([z.string(), z.number()]).transform((given, c) => {
  const parsed = Amount.parse(String(given));
  if (parsed.ok && parsed.value > 0n) return parsed.value;
  c.addIssue({ code: 'custom', message: `expected ${decimal}` });
  return z.NEVER;
});

function isSpan(text: string): boolean {
  try {
    return Duration.of(text) > 0n;
  } catch {
    return false;
  }
}

const party = z.strictObject({
  name: name.describe(
    'User name and hint of the party. With the name of a user that exists, the entry adds to its wallet.',
  ),
  validator: z.string().optional().describe('Name of its validator. Default: the first.'),
  wallet: z.boolean().default(true).describe('Whether the party is a user with a wallet. Else it is only allocated.'),
  coins: z
    .union([z.array(coins), coins.transform((one) => [one])])
    .default([])
    .describe('The coins of the party; needs a DevNet.'),
  preapproval: z.boolean().default(false).describe('Creates a preapproval, which the validator provides.'),
  featuredApp: z.boolean().default(false).describe('Grants the right of a featured app.'),
});

export const GENERAL_RIGHTS = {
  participantAdmin: 'ParticipantAdmin',
  identityProviderAdmin: 'IdentityProviderAdmin',
  canReadAsAnyParty: 'CanReadAsAnyParty',
  canExecuteAsAnyParty: 'CanExecuteAsAnyParty',
} as const;
export const PARTY_RIGHTS = { canActAs: 'CanActAs', canReadAs: 'CanReadAs', canExecuteAs: 'CanExecuteAs' } as const;

const user = z.strictObject({
  name: name.describe('Id of a user of the JSON Ledger API.'),
  validator: z.string().optional().describe('Name of its validator. Default: the first.'),
  primaryParty: z.string().optional().describe('Name of its primary party.'),
  rights: z
    .array(z.string())
    .default([])
    .describe('Rights, such as `participantAdmin`, or with the name of a party, such as `canActAs alice`.'),
});

const offer = z.strictObject({
  from: z.string().describe('Name of the sender.'),
  to: z.string().describe('Name of the receiver.'),
  amount: amount.describe('Coin to lock for the receiver.'),
  description: z.string().default('').describe('Text for the receiver.'),
  expiresIn: z
    .string()
    .refine(isSpan, 'expected a span such as 24h')
    .default('24h')
    .describe('Time until the offer expires.'),
});

export const startSchema = z.strictObject({
  $schema: z.string().optional().describe('URL of the JSON schema, for editors.'),
  validators: z.array(validatorSettings).optional().describe('The setting `validators`.'),
  parties: z.array(party).default([]).describe('Parties with their coins.'),
  users: z.array(user).default([]).describe('Users of the JSON Ledger API with their rights.'),
  offers: z.array(offer).default([]).describe('Transfer offers that wait for their receivers.'),
});

export const START_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(startSchema.shape),
  validators: Object.keys(validatorSettings.shape),
  parties: Object.keys(party.shape),
  users: Object.keys(user.shape),
  offers: Object.keys(offer.shape),
};

/** A start with all defaults filled in. */
export type Start = z.output<typeof startSchema>;

/** The contents of a new ledger as users write them; all parts are optional. */
export type StartInput = z.input<typeof startSchema>;

/** Returns the JSON Schema of a start file. */
export function startJsonSchema(): unknown {
  return z.toJSONSchema(startSchema, { io: 'input', target: 'draft-2020-12' });
}
