import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { Duration, GENESIS_TIME, Instant, PartyId, rulesOf } from '@coinlab/core';

/** Who asks: users of the wallet, the operator, or nobody in particular. */
export type Asker = 'alice' | 'bob' | 'operator' | null;

/** A request to show: what the document of its route leaves open. */
export interface Ask {
  readonly as?: Asker;
  /** Parameters of the path by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Where there is nothing to be had: what is answered instead of 200. */
  readonly status?: number;
  /** Of an answer that is text: the lines to show; left out: the first. */
  readonly shows?: RegExp;
  /** Of an answer that does not end: what is waited for. */
  readonly until?: string;
}

/** Brings a network to where a request makes sense, and gives the request. */
export type Example = (network: Network) => Ask | Promise<Ask>;

/** By endpoint, as `POST /v0/wallet/tap`. */
export type Examples = Readonly<Record<string, Example>>;

const OPERATOR = 'ledger-api-user';

/** A development network that begins the same every time: fixed seed, fixed time, ten funded users. */
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

  /** Asks and gives the answer with its status, whatever it is. */
  async ask(method: string, path: string, as: Asker, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = {};
    if (as !== null) headers['authorization'] = `Bearer ${await this.#server.token(as === 'operator' ? OPERATOR : as)}`;
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return this.#server.app.request(path, init);
  }

  /** Asks for something that has to be granted, and gives the answer's body. */
  async call(as: Asker, method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await this.ask(method, path, as, body);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return JSON.parse(text) as Answered;
  }

  /** Submits a command of the core, in its JSON form, that has to be accepted, as anybody. */
  async command(command: object, ...actAs: readonly string[]): Promise<Answered> {
    return this.call(null, 'POST', '/dev/submit', { actAs, command });
  }

  async advance(minutes: number): Promise<void> {
    await this.#server.advance(Duration.minutes(minutes));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Id of the transfer of 2.5 coins that alice offers bob. */
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

  /** Alice manages the development fund, for which the rounds of an hour have issued coin. */
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

  /** Bob has bought a preapproval, so that he is paid at once. */
  async preapproval(): Promise<void> {
    await this.call('bob', 'POST', '/v0/wallet/transfer-preapproval');
  }
}

// What an answer has is known to the example that asked for it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Answered = any;

/** A day after the start, in microseconds since 1970. */
export const IN_A_DAY: number = Number(GENESIS_TIME) + 86_400_000_000;
