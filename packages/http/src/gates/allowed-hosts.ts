import { isIP } from 'node:net';
import type { ServerConfig } from '../config.js';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Whether a host of a setting or a `Host` header, without its port, is this machine's own. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(bracketed(host));
}

/**
 * Tells which names a server may be called by in `Host` and `Origin`: those of this machine, the bound host, and those of the
 * setting; a server that listens on every address also by any IP address, because a web page cannot point one of its names to
 * another address. Ports are ignored.
 */
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

/** The name in a `Host` header: lower case, without port and final dot; null for what is none. */
function nameIn(host: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]]+?)\.?(?::\d+)?$/.exec(host.toLowerCase()) ?? [];
  return name ?? null;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
