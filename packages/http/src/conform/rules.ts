import { COIN_LAWS, type CoinLaw, type CoinStep } from '@coinlab/testing';

/** A rule that a deployment must follow. */
export interface ConformRule {
  readonly id: string;
  readonly rule: string;
  /** Where the rule is published. */
  readonly source: string;
}

const laws = (...invariants: readonly number[]): string =>
  `docs/reference/laws.md, ${invariants.length > 1 ? 'invariants' : 'invariant'} ${invariants.join(' and ')}`;

interface LawRule extends ConformRule {
  readonly concerns: (step: CoinStep) => boolean;
}

const ends = ({ command }: CoinStep): boolean => 'offer' in command;
const accepted = (step: CoinStep): boolean => step.accepted;

const BY_LAW: Readonly<Record<string, Omit<LawRule, 'rule'>>> = {
  'a refused command changes no balance and no coin': {
    id: 'refusal-without-effect',
    source: laws(55),
    concerns: (step) => !step.accepted,
  },
  'only the owner pays, only the receiver accepts, only a party of an offer ends it before its deadline': {
    id: 'authority',
    source: laws(31, 32),
    concerns: ends,
  },
  'a payment or an offer has unlocked funds and no negative amount': {
    id: 'funds',
    source: laws(16, 21),
    concerns: ({ command }) => command.type === 'pay' || command.type === 'offer',
  },
  'an offer ends once': { id: 'single-end', source: laws(24, 25), concerns: ends },
  'coin is made by mints alone and lost to fees alone': { id: 'conservation', source: laws(1, 3), concerns: accepted },
  'an accepted command moves its amount from its sender to its receiver and moves nothing else': {
    id: 'exact-amount',
    source: laws(4, 7),
    concerns: accepted,
  },
  'the locked coin of a party covers its open offers until their deadlines, and is none without them': {
    id: 'lock',
    source: laws(15),
    concerns: ({ after }) => after.offers.length > 0,
  },
  'unlocked coin can be paid, and an open offer can be accepted before its deadline': {
    id: 'liveness',
    source: laws(21, 25),
    concerns: ({ command }) => command.type === 'pay' || command.type === 'accept',
  },
};

export const UNCHECKED: readonly (ConformRule & { readonly reason: string })[] = [
  {
    id: 'single-use',
    rule: 'a coin is spent once, by its owner and unlocked',
    source: laws(11, 12),
    reason: 'the wallet routes choose the coins; race-funds checks concurrent payments',
  },
  {
    id: 'input-limit',
    rule: 'a command takes no more inputs than the limit',
    source: laws(19, 20),
    reason: 'the wallet routes choose the coins',
  },
];

export class CheckedLaws {
  readonly #counts: Map<string, number> = new Map();
  readonly #excluded: Set<string> = new Set();

  exclude(law: string): void {
    this.#excluded.add(law);
  }

  get laws(): readonly CoinLaw[] {
    return COIN_LAWS.filter(({ name }) => name in BY_LAW && !this.#excluded.has(name)).map(({ name, holds }) => ({
      name,
      holds: (step) => {
        if (BY_LAW[name]?.concerns(step)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
        return holds(step);
      },
    }));
  }

  countOf(law: string): number {
    return this.#counts.get(law) ?? 0;
  }
}

export const LAW_RULES: readonly ConformRule[] = Object.entries(BY_LAW).map(([rule, { id, source }]) => ({
  id,
  rule,
  source,
}));

const rule = (id: string, text: string, source: string): ConformRule => ({ id, rule: text, source });

export const SERVER_FAULT: ConformRule = rule(
  'declared-statuses',
  'every request is answered in JSON with a status below 500',
  'docs/reference/endpoints.md',
);
export const PROBES = {
  deadline: rule('deadline', 'an offer is accepted before its deadline and not after it', laws(23)),
  balance: rule('balance-of-coins', 'the balance of a wallet is the sum of its coins', laws(10)),
  tracking: rule('tracking-id', 'a repeated tracking id makes one transfer', laws(46)),
  ends: rule('race-ends', 'of concurrent ends of an offer at most one takes effect', laws(25)),
  funds: rule('race-funds', 'concurrent payments spend each coin once', laws(11, 12)),
  ids: rule('race-tracking-id', 'concurrent requests with one tracking id make one transfer', laws(46)),
  instruments: rule(
    'registry-instruments',
    'every listed instrument is returned by its id, and an unknown id is refused',
    'docs/reference/api/registry.md',
  ),
} as const satisfies Readonly<Record<string, ConformRule>>;

export type ProbeName = keyof typeof PROBES;
