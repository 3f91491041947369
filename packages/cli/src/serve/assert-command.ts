import { setTimeout as sleep } from 'node:timers/promises';
import { Amount } from '@coinlab/core';
import { signToken } from '@coinlab/http';
import { BadInput, messageOf, ThresholdMissed } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

export interface AssertFlags {
  readonly party: string;
  readonly balance?: Amount;
  readonly locked?: Amount;
  readonly coins?: number;
  readonly maxCoins?: number;
  readonly user?: string;
  readonly token?: string;
  readonly secret: string;
  readonly within: number;
  readonly json?: boolean;
}

interface Coins {
  readonly balance: Amount;
  readonly locked: Amount;
  readonly coins: number;
}

const POLL_MILLIS = 200;

export async function assertCommand(url: string, flags: AssertFlags, terminal: Terminal): Promise<void> {
  const expectations = [flags.balance, flags.locked, flags.coins, flags.maxCoins];
  if (expectations.every((expected) => expected === undefined))
    throw new BadInput('expected at least one of --balance, --locked, --coins and --max-coins');
  const { party, user = party, token = await signToken(user, { secret: flags.secret }) } = flags;
  const read = party.includes('::') ? coinsOfParty : coinsOfUser;
  const until = performance.now() + flags.within * 1000;
  for (;;) {
    const found = await read(new Server(url, token), party);
    const differences = differencesOf(found, flags);
    if (differences.length > 0 && performance.now() < until) {
      await sleep(POLL_MILLIS);
      continue;
    }
    const { coins } = found;
    const [balance, locked] = [Amount.format(found.balance), Amount.format(found.locked)];
    if (flags.json)
      terminal.out(
        `${JSON.stringify({ party, balance, locked, coins, holds: differences.length === 0, differences })}\n`,
      );
    if (differences.length > 0) throw new ThresholdMissed(`${party}: ${differences.join('; ')}`);
    if (!flags.json) terminal.out(`${party} has ${balance} in ${coins} coins, and ${locked} locked\n`);
    return;
  }
}

function differencesOf(found: Coins, { balance, locked, coins, maxCoins }: AssertFlags): readonly string[] {
  const amounts = [
    ['balance', found.balance, balance],
    ['locked', found.locked, locked],
  ] as const;
  return [
    ...amounts.flatMap(([name, is, expected]) =>
      expected === undefined || is === expected
        ? []
        : [`${name} is ${Amount.format(is)}, expected ${Amount.format(expected)}`],
    ),
    ...(coins === undefined || found.coins === coins ? [] : [`coins are ${found.coins}, expected ${coins}`]),
    ...(maxCoins === undefined || found.coins <= maxCoins
      ? []
      : [`coins are ${found.coins}, expected at most ${maxCoins}`]),
  ];
}

class Server {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
  }

  async json<Body>(path: string, body?: unknown): Promise<Body> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.#url}${path}`, {
      headers,
      redirect: 'error',
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new BadInput(`${this.#url}: ${messageOf(error.cause ?? error)}`);
    });
    const text = await answer.text();
    if (answer.status === 200) return JSON.parse(text) as Body; // the path has this shape
    const hint = answer.status === 401 ? ': pass --secret or --token' : '';
    throw new BadInput(`${this.#url}${path}: answered ${answer.status}${hint}: ${text.slice(0, 300)}`);
  }
}

interface Position {
  readonly contract: { readonly contract: { readonly payload: Payload } };
}
interface Payload {
  readonly amulet?: Payload;
  readonly amount?: { readonly initialAmount: string };
}

async function coinsOfUser(server: Server): Promise<Coins> {
  const { amulets, locked_amulets } = await server.json<{
    readonly amulets: readonly Position[];
    readonly locked_amulets: readonly Position[];
  }>('/v0/wallet/amulets');
  const sum = (positions: readonly Position[]): Amount =>
    Amount.sum(
      positions.map(({ contract: { contract } }) => {
        const { amulet = contract.payload } = contract.payload;
        return Amount.of(amulet.amount?.initialAmount ?? '0');
      }),
    );
  return { balance: sum(amulets), locked: sum(locked_amulets), coins: amulets.length };
}

interface Page {
  readonly activeContracts: readonly {
    readonly contractEntry: {
      readonly JsActiveContract: {
        readonly createdEvent: { readonly interfaceViews: readonly { viewValue: Holding }[] };
      };
    };
  }[];
  readonly nextPageToken?: string;
}
interface Holding {
  readonly owner: string;
  readonly amount: string;
  readonly lock: unknown;
}

async function coinsOfParty(server: Server, party: string): Promise<Coins> {
  const interfaceId = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
  const identifierFilter = { InterfaceFilter: { value: { interfaceId, includeInterfaceView: true } } };
  const eventFormat = { filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } }, verbose: false };
  const holdings: Holding[] = [];
  let pageToken: string | undefined;
  do {
    const page: Page = await server.json('/v2/state/active-contracts-page', { eventFormat, pageToken });
    for (const { contractEntry } of page.activeContracts)
      for (const { viewValue } of contractEntry.JsActiveContract.createdEvent.interfaceViews)
        if (viewValue.owner === party) holdings.push(viewValue);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  const sum = (some: readonly Holding[]): Amount => Amount.sum(some.map(({ amount }) => Amount.of(amount)));
  const unlocked = holdings.filter(({ lock }) => !lock);
  return { balance: sum(unlocked), locked: sum(holdings.filter(({ lock }) => lock)), coins: unlocked.length };
}
