import type { Configured } from '../../config.js';
import { allowedOrigins } from '../../gates/allowed-hosts.js';
import { callerWith, type TokenCheck } from '../../gates/caller.js';
import type { Faults } from '../../gates/faults.js';
import { requireKnown } from '../../gates/ledger/rights.js';
import { Problem } from '../../problem.js';
import type { Caller } from '../../request.js';
import { channelOf, errorMessage, socketPath, type MessageStream, type StreamNeeds } from './streams.js';

export type { MessageStream };

export interface OpenChannel {
  answer(request: unknown): MessageStream;
  readonly isCut: boolean;
  refusal(): Promise<Problem | null>;
  errorMessage(error: unknown): string;
}

export type OpenSocket = (handshake: {
  readonly path: string;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}) => Promise<OpenChannel>;

export type OpenSocketNeeds = StreamNeeds & TokenCheck & Configured<'corsOrigins'> & { readonly faults: Faults };

/** Pages of other origins may open no websocket, since browsers send no preflight for one. */
export function socketOpener(server: OpenSocketNeeds): OpenSocket {
  const isAllowed = allowedOrigins(server.config);
  return async ({ path, origin, authorization }) => {
    if (origin !== undefined && !isAllowed(origin))
      throw new Problem(403, `pages of ${origin} may not open websockets`);
    const channel = channelOf(path);
    if (!channel) throw new Problem(404, `no websocket at ${path}`);
    const isCut = await server.faults.ofHandshake(socketPath(path));
    const check = async (): Promise<Caller> => requireKnown(await callerWith(authorization, server));
    const caller = await check();
    return {
      isCut,
      refusal: () => check().then(() => null, problemOrThrow),
      answer: (request) => channel(request, caller, server),
      errorMessage: (error) => errorMessage(error, server),
    };
  };
}

function problemOrThrow(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
