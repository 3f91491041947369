import { setFlagsFromString } from 'node:v8';
import { BadSettings, type ServerConfig } from './config.js';
import type { CoinlabServer } from './create-server.js';
import { isLoopback } from './gates/allowed-hosts.js';
import { addressesOf, listensOn } from './host/addresses.js';
import { Listener } from './listener.js';

/** A server that listens on its ports. */
export interface ListeningServer {
  /** Base URL, for example `http://127.0.0.1:5003`. */
  readonly url: string;
  readonly port: number;
  /** All base URLs: of every port of the settings, and of every address that a port listens on. */
  readonly urls: readonly string[];
  /** Base URL of the first port with the JSON Ledger API only; null without one. */
  readonly ledgerUrl: string | null;
  /** Refuses new connections, answers accepted requests and closes the log. */
  close(): Promise<void>;
}

/** The ports of a server, which answer before the server exists. */
export interface ListeningPort {
  /** Base URL, for example `http://127.0.0.1:5003`. */
  readonly url: string;
  serve(server: CoinlabServer): ListeningServer;
  /** Closes the ports, for a start that failed. */
  close(): Promise<void>;
}

/** Options of {@link listen}. */
export interface ListenOptions {
  /**
   * The process runs nothing else: the global `Request` and `Response` are replaced by faster ones, and V8 lets the heap grow to twice
   * its live objects between two full collections. Default: false.
   */
  readonly ownsProcess?: boolean;
}

/**
 * V8 by itself lets a heap that grows slowly grow by a quarter: a busy server makes a full collection every few seconds, and each delays
 * requests. With more room a collection is more than 100 s after the last one: then V8 begins one to save memory, which takes longer and makes
 * the young generation small. The limit of the heap stays.
 */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Starts listening. Requests beyond the limits of headers, time and connections get JSON errors. Throws {@link BadSettings} when the
 * server would listen beyond loopback with the default secret or with `dev`, or would allow all web pages with the default secret.
 */
export async function listen(server: CoinlabServer, options: ListenOptions = {}): Promise<ListeningServer> {
  return (await openPort(server.config, options)).serve(server);
}

/**
 * Starts listening on all ports before the server exists, for a start that reads a long log. Until `serve` is called, `GET /status` answers
 * `not_initialized`, `/livez` 200 and every other path 503. Throws like {@link listen},
 * and {@link BadSettings} for a port in use.
 */
export async function openPort(
  config: ServerConfig,
  { ownsProcess = false }: ListenOptions = {},
): Promise<ListeningPort> {
  refuseToExpose(config);
  if (ownsProcess) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const open: Listener[] = [];
  const close = async (): Promise<void> => void (await Promise.all(open.map((one) => one.abort())));
  try {
    for (const address of addressesOf(config)) {
      const [host, ...others] = listensOn(config);
      const first = await Listener.open(address, host, config, ownsProcess);
      open.push(first);
      // A free port is the same on the other addresses.
      const same = { ...address, port: first.port };
      for (const other of others) {
        const listener = await Listener.open(same, other, config, ownsProcess).catch(nullWithoutIpv6);
        if (listener) open.push(listener);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [main] = open;
  if (main === undefined) throw new Error('addressesOf returns at least one address');
  const { url, port } = main;
  const urls = open.map((one) => one.url);
  const ledgerUrl = open.find(({ serves }) => serves === 'ledger')?.url ?? null;
  return {
    url,
    serve(server) {
      for (const one of open) one.serve(server);
      let closing: Promise<void> | null = null;
      return { url, port, urls, ledgerUrl, close: () => (closing ??= shutDown(open, server)) };
    },
    close,
  };
}

async function shutDown(open: readonly Listener[], server: CoinlabServer): Promise<void> {
  server.end();
  await Promise.all(open.map((one) => one.drain(server.config.limits.shutdownSeconds * 1000)));
  await server.close();
}

function nullWithoutIpv6(error: NodeJS.ErrnoException): null {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return null;
  throw error;
}

/** The length of a SHA-256 hash (RFC 7518 §3.2). */
const SECRET_BYTES = 32;

function refuseToExpose(config: ServerConfig): void {
  const { host, auth, dev, corsOrigins, allowUnsafeSecretBeyondLoopback: isAllowed } = config;
  if (corsOrigins.includes('*') && auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe')
    throw new BadSettings([
      'corsOrigins: * lets every web page sign tokens with the public secret; list the origins, or set auth.secret',
    ]);
  if (isAllowed || isLoopback(host)) return;
  const faults: string[] = [];
  if (auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe')
    faults.push('auth.secret has its public default value');
  else if (auth.algorithm === 'hs-256-unsafe' && Buffer.byteLength(auth.secret) < SECRET_BYTES)
    faults.push(`auth.secret has fewer than ${SECRET_BYTES} bytes`);
  if (dev) faults.push('dev serves routes that accept commands of any party');
  if (faults.length > 0)
    throw new BadSettings(faults.map((fault) => `host: ${host} is not a loopback address, and ${fault}`));
}
