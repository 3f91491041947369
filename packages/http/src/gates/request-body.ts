import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { Configured } from '../config.js';
import { Problem } from '../problem.js';
import { seenOf } from '../request.js';
import type { Check } from './gate.js';
import { isTooDeep } from './json-depth.js';
import { UnfinishedBodies, type UnfinishedBody } from './unfinished-bodies.js';

const decoder = new TextDecoder();
const NO_JSON = 'nested too deeply';

interface BodyReaders {
  readonly json: Check;
  /** For package archives, which may be larger. */
  readonly bytes: Check;
}

export function bodyReaders({ config: { limits } }: Configured<'limits'>): BodyReaders {
  const unfinished = new UnfinishedBodies(limits.unfinishedBodyBytes);
  const read = (c: Context, limit: number): Promise<Uint8Array> => {
    if (Number(c.req.header('content-length') ?? 0) > limit) throw tooLarge(limit);
    return bytesOf(c, limit, unfinished);
  };
  return {
    async json(c) {
      // Two APIs share a route: its body is read before one of them is chosen.
      if (c.req.bodyCache.text === undefined) keepJson(c, await read(c, limits.bodyBytes));
    },
    bytes: async (c) => {
      const bytes = await read(c, limits.packageBytes);
      // Hono stores promises here, against its declared type.
      Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(new Uint8Array(bytes).buffer) });
    },
  };
}

function keepJson(c: Context, bytes: Uint8Array): void {
  const type = c.req.header('content-type');
  let text = decoder.decode(bytes);
  // Routes with a body refuse it as malformed; others ignore it.
  if (isTooDeep(text)) text = NO_JSON;
  // Changing a header converts all headers of the request; most clients already send this one.
  if (bytes.length > 0) {
    if (type !== 'application/json') c.req.raw.headers.set('content-type', 'application/json');
  } else if (type === 'application/json') {
    // Clients send an empty body where the body is optional.
    text = '{}';
  } else if (type !== undefined) {
    c.req.raw.headers.delete('content-type');
  }
  // Hono stores promises here, against its declared type.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
}

function bytesOf(c: Context, limit: number, unfinished: UnfinishedBodies): Promise<Uint8Array> {
  // On a socket, Node's stream is available and much faster than a web stream.
  const { incoming } = seenOf(c);
  return incoming ? readNode(incoming, limit, unfinished) : readWeb(c.req.raw.body, limit);
}

function readNode(incoming: IncomingMessage, limit: number, unfinished: UnfinishedBodies): Promise<Uint8Array> {
  // A destroyed stream emits no further event.
  if (incoming.destroyed) return Promise.reject(goneAway());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const body: UnfinishedBody = { bytes: 0, refuse: () => refuse(tooMuch()) };
    unfinished.begin(body);
    const done = (): void => {
      unfinished.end(body);
      incoming.off('data', take).off('end', end).off('error', gone).off('close', gone);
    };
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) refuse(tooLarge(limit));
      else unfinished.grow(body, chunk.length);
    };
    const refuse = (problem: Problem): void => {
      done();
      incoming.pause();
      reject(problem);
    };
    const end = (): void => {
      done();
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    };
    const gone = (): void => {
      done();
      reject(goneAway());
    };
    incoming.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}

async function readWeb(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): Problem {
  // The rest of the body is not read, so the connection cannot be reused.
  return new Problem(413, `the body is larger than ${limit} bytes`, { headers: { Connection: 'close' } });
}

function tooMuch(): Problem {
  return new Problem(503, 'the server has too many unfinished bodies; retry later', {
    headers: { Connection: 'close' },
  });
}

function goneAway(): Problem {
  return new Problem(400, 'the body is incomplete');
}
