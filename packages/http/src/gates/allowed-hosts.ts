import { isIP } from 'node:net';
import type { ServerConfig } from '../config.js';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Returns whether a host (of a setting, or of a `Host` header without its port) is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(bracketed(host));
}

/** A server that listens on all addresses also accepts any IP address, because DNS rebinding needs a name. Ports are ignored. */
export function allowedHosts({
  host,
  allowedHosts: names,
}: Pick<ServerConfig, 'host' | 'allowedHosts'>): (host: string) => boolean {
  const bound = bracketed(host.toLowerCase());
  const allowed = new Set([bound, ...names.map((name) => bracketed(name.toLowerCase()))]);
  return (given) => {
    const name = nameIn(given);
    if (name === null) return false;
    if (isLoopback(name) || allowed.has(name)) return true;
    if (EVERY_ADDRESS.has(bound) && isIP(name.replaceAll(/[[\]]/g, '')) !== 0) return true;
    return allowed.has(name.replace(/^[^.]+/, '*'));
  };
}

/** The origin `null` of sandboxed pages and files needs `*`, since any site can have it. */
export function allowedOrigins({ corsOrigins }: Pick<ServerConfig, 'corsOrigins'>): (origin: string) => boolean {
  const allowed = new Set(corsOrigins.map((origin) => origin.toLowerCase()));
  if (allowed.has('*')) return () => true;
  return (given) => {
    const origin = given.toLowerCase();
    const [, host] = /^https?:\/\/([^/]+)$/.exec(origin) ?? [];
    const name = host === undefined ? null : nameIn(host);
    if (name !== null && isLoopback(name)) return true;
    return allowed.has(origin) || allowed.has(origin.replace(/^([^:]+:\/\/)[^.]+/, '$1*'));
  };
}

function nameIn(host: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]]+?)\.?(?::\d+)?$/.exec(host.toLowerCase()) ?? [];
  return name ?? null;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
