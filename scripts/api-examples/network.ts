import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { Duration, GENESIS_TIME, Instant, PartyId, rulesOf } from '@coinlab/core';

/** The caller: a user of the wallet, of an external party, the operator, or null for no token. */
export type Asker = 'alice' | 'bob' | 'operator' | 'treasury' | null;

/** The parts of an example request that the OpenAPI document does not have. */
export interface Ask {
  readonly as?: Asker;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The expected status if it is not 200. */
  readonly status?: number;
  /** The lines of a text response to show; by default the first. */
  readonly shows?: RegExp;
  /** The text that ends the reading of an endless response. */
  readonly until?: string;
}

export type Example = (network: Network) => Ask | Promise<Ask>;

/** Examples by endpoint, such as `POST /v0/wallet/tap`. */
export type Examples = Readonly<Record<string, Example>>;

const OPERATOR = 'ledger-api-user';

/** A deterministic development network: fixed seed, fixed time, ten funded users. */
export class Network {
  readonly #server: CoinlabServer;

  constructor(server: CoinlabServer) {
    this.#server = server;
  }

  static async open(settings: ServerConfigInput = {}): Promise<Network> {
    return new Network(await createServer({ dev: true, clock: 'manual', ...settings }));
  }

  readonly start: string = Instant.format(GENESIS_TIME);
  readonly dso: PartyId = PartyId.of('DSO');
  readonly sv: PartyId = PartyId.of('sv-1');
  readonly synchronizer: string = PartyId.of('global-domain');
  readonly alice: PartyId = PartyId.of('alice');
  readonly bob: PartyId = PartyId.of('bob');

  get validator(): PartyId {
    return this.#server.validator;
  }

  get participantId(): string {
    return this.#server.participantId;
  }

  async ask(method: string, path: string, as: Asker, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = {};
    if (as !== null) headers['authorization'] = `Bearer ${await this.#server.token(as === 'operator' ? OPERATOR : as)}`;
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return this.#server.app.request(path, init);
  }

  /** Sends a request and returns the body. Throws if the status is not 200. */
  async call(as: Asker, method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await this.ask(method, path, as, body);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return JSON.parse(text) as Answered;
  }

  /** Submits a core command in its JSON form, acting as any party. Throws if it is refused. */
  async command(command: object, ...actAs: readonly string[]): Promise<Answered> {
    return this.call(null, 'POST', '/dev/submit', { actAs, command });
  }

  async advance(minutes: number): Promise<void> {
    await this.#server.advance(Duration.minutes(minutes));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Returns the id of a transfer of 2.5 coins from alice to bob. */
  async transfer(): Promise<string> {
    const { output } = await this.call('alice', 'POST', '/v0/wallet/token-standard/transfers', this.transferTerms());
    return output.transfer_instruction_cid;
  }

  transferTerms(): Readonly<Record<string, unknown>> {
    return {
      receiver_party_id: this.bob,
      amount: '2.5',
      description: 'rent',
      expires_at: IN_A_DAY,
      tracking_id: 'rent-1',
    };
  }

  trafficTerms(): Readonly<Record<string, unknown>> {
    return {
      receiving_validator_party_id: this.validator,
      domain_id: this.synchronizer,
      traffic_amount: 1_000_000,
      tracking_id: 'traffic-1',
      expires_at: IN_A_DAY,
    };
  }

  /** Makes alice the manager of the development fund, after an hour of rounds that issue coins for it. */
  async managedFund(): Promise<void> {
    const { host } = this.#server;
    const baseConfig = rulesOf(host.state)?.config;
    if (!baseConfig) throw new Error('the ledger is open');
    const newConfig = { ...baseConfig, developmentFundManager: this.alice };
    const action = { type: 'SetAmuletConfig', baseConfig, newConfig } as const;
    const answer = await host.submit({ type: 'ExecuteAction', action }, [this.dso]);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    await this.advance(60);
  }

  /** Buys a preapproval for bob, so that payments to him are immediate. */
  async preapproval(): Promise<void> {
    await this.call('bob', 'POST', '/v0/wallet/transfer-preapproval');
  }
}

// Each example knows the fields of the response that it requested.
type Answered = any;

/** A day after the start, in microseconds since 1970. */
export const IN_A_DAY: number = Number(GENESIS_TIME) + 86_400_000_000;
