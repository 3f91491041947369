import type { PartyId } from '@coinlab/core';
import type { OpenSocket } from './apis/ledger/open-socket.js';
import type { Configured } from './config.js';
import { isLedgerName } from './gates/ledger/names.js';
import { addressesOf, type Address } from './host/addresses.js';
import type { Api, Seen } from './request.js';

/** A validator of a server. */
export interface ValidatorServer {
  readonly name: string;
  /** Party of the operator. */
  readonly validator: PartyId;
  readonly participantId: string;
  /** Answers a request to this validator without a socket; the address before the path is ignored. */
  readonly fetch: (request: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Returns the wallet party of a user of this validator. Throws for a user without a wallet. */
  party(user: string): PartyId;
  readonly app: Api;
  /** The app of the JSON Ledger API alone, for a port of its own. */
  readonly ledgerApp: Api;
  readonly openSocket: OpenSocket;
}

export class ValidatorApps {
  readonly #servers: readonly [ValidatorServer, ...ValidatorServer[]];
  readonly #addresses: readonly [Address, ...Address[]];
  readonly #hasLedgerNames: boolean;

  constructor(
    servers: readonly [ValidatorServer, ...ValidatorServer[]],
    config: Configured<'port' | 'ledgerPort' | 'validators'>['config'],
  ) {
    this.#servers = servers;
    this.#addresses = addressesOf(config);
    this.#hasLedgerNames = config.validators.length > 0;
  }

  answerAt({ validator, serves }: Address): Api['fetch'] {
    const { app, ledgerApp } = this.#servers[validator] ?? this.#servers[0];
    const { fetch: all } = app;
    const { fetch: ledger } = ledgerApp;
    if (serves === 'ledger') return ledger;
    if (!this.#hasLedgerNames) return all;
    return (request, env, executionCtx) => {
      // Cast: Node's adapter passes its request; Hono leaves the type open.
      const { incoming } = (env ?? {}) as Partial<Seen>;
      const host = incoming ? incoming.headers.host : new URL(request.url).host;
      return (isLedgerName(host ?? '') ? ledger : all)(request, env, executionCtx);
    };
  }

  openSocketAt({ validator }: Address): OpenSocket {
    return (this.#servers[validator] ?? this.#servers[0]).openSocket;
  }

  async fetch(given: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = requestOf(given, init);
    const port = new URL(request.url).port;
    const [first] = this.#addresses;
    const address = this.#addresses.find((one) => port !== '' && one.port === Number(port)) ?? first;
    return this.answerAt(address)(request);
  }
}

function requestOf(given: string | URL | Request, init?: RequestInit): Request {
  if (given instanceof Request) return init === undefined ? given : new Request(given, init);
  const text = given.toString();
  return new Request(text.startsWith('/') ? `http://localhost${text}` : text, init);
}
