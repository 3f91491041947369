import type { Configured } from '../../config.js';
import { allowedOrigins } from '../../gates/allowed-hosts.js';
import { callerWith, type TokenCheck } from '../../gates/caller.js';
import { requireKnown } from '../../gates/ledger-rights.js';
import { Problem } from '../../problem.js';
import { channelOf, errorMessage, type MessageStream, type StreamNeeds } from './streams.js';

export type { MessageStream };

/** A websocket of a caller who may open it. */
export interface OpenChannel {
  /** Answers the first message. Throws a {@link Problem} for a refused request. */
  answer(request: unknown): MessageStream;
  /** Formats an error as a message. */
  errorMessage(error: unknown): string;
}

/** Checks path, origin and token of a handshake. Throws a {@link Problem}. */
export type OpenSocket = (handshake: {
  readonly path: string;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}) => Promise<OpenChannel>;

export type OpenSocketNeeds = StreamNeeds & TokenCheck & Configured<'corsOrigins'>;

/** Creates the check of handshakes. Pages of other origins may open no websocket, since browsers send no preflight for one. */
export function socketOpener(server: OpenSocketNeeds): OpenSocket {
  const isAllowed = allowedOrigins(server.config);
  return async ({ path, origin, authorization }) => {
    if (origin !== undefined && !isAllowed(origin))
      throw new Problem(403, `pages of ${origin} may not open websockets`);
    const channel = channelOf(path);
    if (!channel) throw new Problem(404, `no websocket at ${path}`);
    const caller = requireKnown(await callerWith(authorization, server));
    return {
      answer: (request) => channel(request, caller, server),
      errorMessage: (error) => errorMessage(error, server),
    };
  };
}
